#include <thaw/control.hpp>

#include <chrono>

namespace thaw {

bool PictureBudget::allows(const Control& job, std::uint64_t job_bytes, std::uint64_t more) {
  if (beyond_ == &job) {
    return true;
  }
  // Small jobs that hold nothing yet do not overtake a large one, which would wait for ever.
  const bool overtakes = job_bytes == 0 && more <= bytes_ && waiting_large_ > 0;
  if (used_ + more <= bytes_ && !overtakes) {
    return true;
  }
  const std::uint64_t others = holders_ - (job_bytes > 0 ? 1 : 0);
  const std::uint64_t waiting_others = waiting_holders_ - (job_bytes > 0 ? 1 : 0);
  if (beyond_ != nullptr || others != waiting_others) {
    return false;
  }
  if (used_ + more > bytes_) {
    if (await_others_) {
      await_others_();
    }
    beyond_ = &job;
  }
  return true;
}

void PictureBudget::take(const Control& job, std::uint64_t& job_bytes, std::uint64_t more) {
  constexpr std::chrono::milliseconds kTick(100);
  std::unique_lock lock(mutex_);
  const std::uint64_t large = job_bytes + more > bytes_ ? 1 : 0;
  waiting_large_ += large;
  waiting_holders_ += job_bytes > 0 ? 1 : 0;
  changed_.notify_all();  // another that waits may now be the one that goes beyond
  while (!job.stopped() && !allows(job, job_bytes, more)) {
    changed_.wait_for(lock, kTick);
  }
  waiting_large_ -= large;
  waiting_holders_ -= job_bytes > 0 ? 1 : 0;
  holders_ += job_bytes == 0 && more > 0 ? 1 : 0;
  job_bytes += more;
  used_ += more;
}

void PictureBudget::give_back(const Control& job, std::uint64_t job_bytes) noexcept {
  const std::lock_guard lock(mutex_);
  used_ -= job_bytes;
  holders_ -= job_bytes > 0 ? 1 : 0;
  beyond_ = beyond_ == &job ? nullptr : beyond_;
  changed_.notify_all();
}

void Control::take_pictures(std::uint64_t bytes) const {
  if (budget_ != nullptr) {
    budget_->take(*this, budget_bytes_, bytes);
  }
}

void Control::give_back_pictures() noexcept { budget_->give_back(*this, budget_bytes_); }

}  // namespace thaw
