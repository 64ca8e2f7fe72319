#include <thaw/control.hpp>

#include <chrono>

namespace thaw {

bool PictureBudget::allows(const Control& job, std::uint64_t held, std::uint64_t more) {
  if (beyond_ == &job) {
    return true;
  }
  // Small jobs that hold nothing yet do not overtake a large one, which would wait for ever.
  const bool overtakes = held == 0 && more <= bytes_ && waiting_large_ > 0;
  if (held_ + more <= bytes_ && !overtakes) {
    return true;
  }
  const std::uint64_t others = holders_ - (held > 0 ? 1 : 0);
  const std::uint64_t waiting_others = waiting_holders_ - (held > 0 ? 1 : 0);
  if (beyond_ != nullptr || others != waiting_others) {
    return false;
  }
  if (held_ + more > bytes_) {
    if (await_others_) {
      await_others_();
    }
    beyond_ = &job;
  }
  return true;
}

void PictureBudget::take(const Control& job, std::uint64_t& held, std::uint64_t more) {
  constexpr std::chrono::milliseconds kTick(100);
  std::unique_lock lock(mutex_);
  const std::uint64_t large = held + more > bytes_ ? 1 : 0;
  waiting_large_ += large;
  waiting_holders_ += held > 0 ? 1 : 0;
  changed_.notify_all();  // another that waits may now be the one that goes beyond
  while (!job.stopped() && !allows(job, held, more)) {
    changed_.wait_for(lock, kTick);
  }
  waiting_large_ -= large;
  waiting_holders_ -= held > 0 ? 1 : 0;
  holders_ += held == 0 && more > 0 ? 1 : 0;
  held += more;
  held_ += more;
}

void PictureBudget::give_back(const Control& job, std::uint64_t held) noexcept {
  const std::lock_guard lock(mutex_);
  held_ -= held;
  holders_ -= held > 0 ? 1 : 0;
  beyond_ = beyond_ == &job ? nullptr : beyond_;
  changed_.notify_all();
}

void Control::take_pictures(std::uint64_t bytes) const {
  if (budget_ != nullptr) {
    budget_->take(*this, held_, bytes);
  }
}

void Control::give_back_pictures() noexcept { budget_->give_back(*this, held_); }

}  // namespace thaw
