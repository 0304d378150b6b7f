// How the worst incidents of a run came about, told while its events come by: when they were is known before, and only
// the events around those that are not told yet are held.
#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <vector>

#include <QString>

#include "ui/models/story.h"

namespace leasescope {

// How an incident came about is told of so many, of the worst first: a story reads minutes of history.
inline constexpr std::size_t kMostStories = 100;
// Their places in the list, in order of their start.
std::vector<std::size_t> worst_incidents(const IncidentList& incidents);

struct ToldStory {
  QString account;  // <b> marks the mutex and the length, all else is escaped
  std::vector<StoryLine> story;
  QString margin;  // by how much, or what is not known of it
};
// From the events that the history holds.
ToldStory tell_story(const History& history, const Cast& cast, const Incident& incident);

class StoryTeller {
 public:
  // `frame`: of the history at its end, all but its events; `cast` knows everybody in it, and outlives this. None:
  // all are wanted.
  StoryTeller(History frame, const Cast& cast, std::function<bool()> wanted = {});

  // All events in their order; those it has had may be forgotten.
  void append(const History& history);
  // No more come.
  void finish();

  // By its place in the list; null of one that is not told.
  const ToldStory* find(std::size_t incident) const {
    const auto found = told_.find(incident);
    return found == told_.end() ? nullptr : &found->second;
  }
  // So many events are held.
  std::size_t held() const { return around_.events.size(); }

 private:
  struct Window {
    std::size_t incident = 0;
    TrueTime from{}, to{};  // of the events that it may be told of
  };

  void take(const Event* events, std::size_t count);
  // Those whose events have all come by `now`.
  void tell(TrueTime now);
  void forget();

  History around_;  // the frame, with the events of the windows that are open
  const Cast& cast_;
  std::function<bool()> wanted_;
  std::vector<Window> windows_;  // in order of their begin
  std::size_t begun_ = 0;        // of them
  std::vector<Window> open_;     // begun, and not told yet
  std::map<std::size_t, ToldStory> told_;
  Sequence read_ = 0;
};

}  // namespace leasescope
