#include <thaw/bytes.hpp>

#include <algorithm>

namespace thaw {
namespace {

class Memory : public Storage {
 public:
  explicit Memory(Bytes bytes) : bytes_(std::move(bytes)) {}

  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> out) const override {
    if (offset > bytes_.size() || out.size() > bytes_.size() - offset) {
      return false;
    }
    std::copy_n(bytes_.data() + offset, out.size(), out.data());
    return true;
  }

 private:
  Bytes bytes_;
};

}  // namespace

std::shared_ptr<const Storage> memory_storage(Bytes bytes) {
  return std::make_shared<Memory>(std::move(bytes));
}

}  // namespace thaw
