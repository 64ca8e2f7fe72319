#include <thaw/control.hpp>

#include <gtest/gtest.h>
#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace thaw {
namespace {

/// Runs jobs on four threads, each of which takes pictures several times, and returns the most bytes that
/// were held at once by jobs within the budget, and by all of them.
struct Peaks {
  std::uint64_t small = 0;
  std::uint64_t all = 0;
  int most_large = 0;
};

Peaks peaks_of(PictureBudget& budget, std::uint64_t limit,
               const std::vector<std::vector<std::uint64_t>>& jobs) {
  std::mutex mutex;
  Peaks peaks;
  std::uint64_t total = 0;
  int large = 0;
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size(); i = next++) {
      const auto control = std::make_unique<Control>(nullptr, &budget);
      std::uint64_t sum = 0;  // of this job
      for (const std::uint64_t bytes : jobs[i]) {
        control->take_pictures(bytes);
        const std::lock_guard lock(mutex);
        large += sum <= limit && sum + bytes > limit ? 1 : 0;
        sum += bytes;
        total += bytes;
        peaks.all = std::max(peaks.all, total);
        peaks.most_large = std::max(peaks.most_large, large);
        if (large == 0) {
          peaks.small = std::max(peaks.small, total);
        }
      }
      std::this_thread::yield();
      const std::lock_guard lock(mutex);  // before the budget has it back
      total -= sum;
      large -= sum > limit ? 1 : 0;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back(work);
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  return peaks;
}

TEST(PictureBudget, SmallJobsTogetherStayWithinIt) {
  PictureBudget budget(100);
  const Peaks peaks = peaks_of(budget, 100, std::vector<std::vector<std::uint64_t>>(200, {30, 10}));
  EXPECT_LE(peaks.small, 100U);
  EXPECT_EQ(peaks.all, peaks.small);
}

TEST(PictureBudget, LargeJobsRunOneAfterTheOther) {
  PictureBudget budget(100);
  const Peaks peaks = peaks_of(budget, 100, std::vector<std::vector<std::uint64_t>>(50, {400}));
  EXPECT_EQ(peaks.most_large, 1);
  EXPECT_EQ(peaks.all, 400U);
}

TEST(PictureBudget, JobsThatGrowBeyondItEndAllTheSame) {
  PictureBudget budget(100);
  std::vector<std::vector<std::uint64_t>> jobs;
  for (std::uint64_t i = 0; i < 200; ++i) {
    jobs.push_back({i % 60, i % 7 == 0 ? 150U : 10U, 20});
  }
  const Peaks peaks = peaks_of(budget, 100, jobs);
  EXPECT_EQ(peaks.most_large, 1);
  EXPECT_LE(peaks.all, 59U + 150U + 20U + 3 * 100U);  // one that goes beyond, and three that wait
}

TEST(PictureBudget, WhoIsStoppedDoesNotWait) {
  PictureBudget budget(100);
  const Control holder(nullptr, &budget);
  holder.take_pictures(90);
  Control stopped(nullptr, &budget);
  std::thread waiting([&] { stopped.take_pictures(50); });
  stopped.stop();
  waiting.join();
}

TEST(PictureBudget, NothingIsLeftWhenJobsEnd) {
  PictureBudget budget(100);
  for (int i = 0; i < 10; ++i) {
    const Control job(nullptr, &budget);
    job.take_pictures(100);
  }
  const Control last(nullptr, &budget);
  last.take_pictures(100);
}

TEST(PictureBudget, WhoGoesBeyondWaitsForOtherProcessesOnce) {
  int waited = 0;
  PictureBudget budget(100, [&] { ++waited; });
  {
    const Control small(nullptr, &budget);
    small.take_pictures(100);
    EXPECT_EQ(waited, 0);
  }
  const Control large(nullptr, &budget);
  large.take_pictures(101);
  large.take_pictures(50);
  EXPECT_EQ(waited, 1);
}

}  // namespace
}  // namespace thaw
