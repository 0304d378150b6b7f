// The plain FIFO mutex of fifo_mutex/<contenders> on ns-3: the same model and number of acquisitions, two events an
// acquisition. `fifo_mutex_ns3 CONTENDERS ACQUISITIONS [SCHEDULER]` prints one line of JSON.
#include <ns3/core-module.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

namespace {

using ns3::ExponentialRandomVariable;
using ns3::Ptr;
using ns3::Simulator;
using ns3::Time;

Ptr<ExponentialRandomVariable> exponential(double mean) {
  auto variable = ns3::CreateObject<ExponentialRandomVariable>();
  variable->SetAttribute("Mean", ns3::DoubleValue(mean));
  return variable;
}

class FifoMutex {
 public:
  FifoMutex(std::uint32_t contenders, std::uint64_t acquisitions) : waiting_(contenders), wanted_(acquisitions) {
    for (std::uint32_t i = 0; i < contenders; ++i) contenders_.push_back({exponential(10), exponential(1), Time()});
    for (std::uint32_t i = 0; i < contenders; ++i) think(i);
  }

  double utilisation() const { return held_.GetSeconds() / Simulator::Now().GetSeconds(); }
  double mean_wait() const { return waited_.GetSeconds() / static_cast<double>(acquisitions_); }

 private:
  struct Contender {
    Ptr<ExponentialRandomVariable> thinks;
    Ptr<ExponentialRandomVariable> holds;
    Time asked;
  };

  void think(std::uint32_t who) {
    Simulator::Schedule(ns3::Seconds(contenders_[who].thinks->GetValue()), &FifoMutex::ask, this, who);
  }

  void ask(std::uint32_t who) {
    contenders_[who].asked = Simulator::Now();
    if (busy_) {
      waiting_[(first_ + waiters_++) % waiting_.size()] = who;
    } else {
      busy_ = true;
      grant(who);
    }
  }

  void grant(std::uint32_t who) {
    waited_ += Simulator::Now() - contenders_[who].asked;
    const Time hold = ns3::Seconds(contenders_[who].holds->GetValue());
    held_ += hold;
    Simulator::Schedule(hold, &FifoMutex::release, this, who);
    if (++acquisitions_ == wanted_) Simulator::Stop();
  }

  void release(std::uint32_t who) {
    think(who);
    if (waiters_ == 0) {
      busy_ = false;
      return;
    }
    const std::uint32_t next = waiting_[first_];
    first_ = (first_ + 1) % waiting_.size();
    --waiters_;
    grant(next);
  }

  std::vector<Contender> contenders_;
  std::vector<std::uint32_t> waiting_;  // a ring
  std::size_t first_ = 0;
  std::size_t waiters_ = 0;
  std::uint64_t wanted_;
  std::uint64_t acquisitions_ = 0;
  Time waited_;
  Time held_;
  bool busy_ = false;
};

}  // namespace

int main(int count, char** words) {
  if (count < 3) {
    std::fprintf(stderr, "usage: fifo_mutex_ns3 CONTENDERS ACQUISITIONS [SCHEDULER]\n");
    return 2;
  }
  // The fastest of ns-3's schedulers on this model; its default is the map.
  ns3::ObjectFactory scheduler;
  scheduler.SetTypeId(count > 3 ? words[3] : "ns3::PriorityQueueScheduler");
  Simulator::SetScheduler(scheduler);
  const std::uint64_t acquisitions = std::strtoull(words[2], nullptr, 10);
  FifoMutex mutex(static_cast<std::uint32_t>(std::strtoul(words[1], nullptr, 10)), acquisitions);
  const std::clock_t began = std::clock();
  Simulator::Run();
  const double seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
  std::printf("{\"acquisitions_per_second\": %.0f, \"utilisation\": %.5f, \"mean_wait_seconds\": %.5f}\n",
              static_cast<double>(acquisitions) / seconds, mutex.utilisation(), mutex.mean_wait());
  Simulator::Destroy();
  return 0;
}
