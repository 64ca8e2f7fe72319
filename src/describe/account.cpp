#include <thaw/control.hpp>
#include <thaw/inspect.hpp>

namespace thaw {
namespace {

class Accountant : public Inspector {
 public:
  explicit Accountant(const Control* control) : control_(control) {}

  void begin(std::string_view /*name*/, bool /*is_list*/, std::uint64_t /*offset*/) override {}
  void end(std::uint64_t /*offset*/) override {}
  void leaf(const Leaf& leaf) override {
    (leaf.role == LeafRole::raw ? account_.raw : account_.understood) += leaf.size;
  }

  [[nodiscard]] bool stopped() const override { return is_stopped(control_); }

  [[nodiscard]] ByteAccount account() const { return account_; }

 private:
  const Control* control_;
  ByteAccount account_;
};

}  // namespace

ByteAccount account_bytes(const Inspection& inspection, const Control* control) {
  Accountant accountant(control);
  inspection(accountant);
  return accountant.account();
}

}  // namespace thaw
