// The virtual world as a contender's process has it around it (core/contend/host.h).
#pragma once
#include "simulator/engine/world.h"

namespace leasescope {

class WorldHostPort {
 public:
  // The contender's timers by their number, then that of its application.
  static constexpr std::array<Due, kHostTimers> kDues{Due::kTimer0, Due::kTimer1, Due::kTimer2, Due::kCallbackDone};

  WorldHostPort(World& world, NodeIndex index) : world_(&world), index_(index) {}

  TrueTime now() const { return world_->now_; }
  Effects step(const Input& input, Clocks now) { return world_->fleet_.step(index_, input, now); }
  Name id() const { return world_->fleet_.id(index_); }
  bool believes() const { return world_->fleet_.believes(index_); }
  bool owns(SteadyTime now) const { return world_->fleet_.owns(index_, now); }
  Token token() const { return world_->fleet_.token(index_); }
  void reborn(Name id) { world_->fleet_.reborn(index_, id); }

  Sequence note(EventKind kind, Sequence cause, std::uint8_t detail, Token token, std::int64_t a, std::int64_t b) {
    const Node& node = world_->nodes_[index_];
    return world_->emit(kind, node.name, node.mutex, cause, detail, token, a, b);
  }
  void due(TrueTime at, std::size_t timer, std::uint32_t generation) {
    world_->queue_.push(at, kDues[timer], index_, generation);
  }
  void work_due(TrueTime at, std::uint32_t work, std::uint32_t generation) {
    world_->queue_.push(at, Due::kWork, place_of(work), generation);
  }
  void work_now(std::uint32_t work, std::uint32_t generation) { work_due(now(), work, generation); }
  void hand_again(const QueueEntry& entry) { world_->queue_.push(now(), entry.due(), entry.node(), entry.payload); }
  static bool is_work(const QueueEntry& entry) { return leasescope::is_work(entry.due()); }
  void drop(const QueueEntry& entry) {
    if (entry.due() == Due::kReplyArrives || entry.due() == Due::kStoreEventArrives) world_->pool_.take(entry.payload);
  }
  void send(const Request& request, SteadyTime now) { world_->send(index_, request, now); }
  void write(std::uint32_t work, Token token) { world_->send_write(place_of(work), token); }
  void computes() {
    if (world_->plan_.waits_for_compute()) world_->began_compute(index_);
  }

  Work& work(std::uint32_t work) { return world_->works_[place_of(work)]; }
  const WorkTerms& terms(std::uint32_t work) const { return world_->facts_->work_terms[work]; }
  std::uint32_t works() const { return world_->works_each_; }

  Duration callback() const {
    const std::vector<Duration>& all = world_->facts_->callbacks;
    return all.empty() ? Duration::zero() : all[index_];
  }
  Duration late_callbacks() const {
    const std::uint32_t wrong = world_->nodes_[index_].disturbed;
    return wrong == 0 ? Duration::zero() : world_->disturbed_[wrong - 1].late_callbacks;
  }
  // What an application does is modelled by its workers.
  static void told(bool /*owns*/) {}
  static bool rests() { return true; }
  void ended() {
    Node& node = world_->nodes_[index_];
    node.listening = 0;
    world_->hang_up(index_);
    world_->visit_outstanding(index_, [](Outstanding& out) {
      out = {};
      return false;
    });
    if (node.disturbed != 0) world_->disturbed_[node.disturbed - 1].waiting_for_connection.clear();
  }
  void begun() { world_->start_anew(index_); }

 private:
  std::uint32_t place_of(std::uint32_t work) const { return index_ * works() + work; }

  World* world_;
  NodeIndex index_;
};

}  // namespace leasescope
