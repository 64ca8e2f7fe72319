#include <thaw/inspect.hpp>

namespace thaw {
namespace {

class Accountant : public Inspector {
 public:
  void begin(std::string_view /*name*/, bool /*is_list*/, std::uint64_t /*offset*/) override {}
  void end(std::uint64_t /*offset*/) override {}
  void leaf(const Leaf& leaf) override {
    (leaf.role == LeafRole::raw ? account_.raw : account_.understood) += leaf.size;
  }

  [[nodiscard]] ByteAccount account() const { return account_; }

 private:
  ByteAccount account_;
};

}  // namespace

ByteAccount account_bytes(const Inspection& inspection) {
  Accountant accountant;
  inspection(accountant);
  return accountant.account();
}

}  // namespace thaw
