#include "ui/report/events_csv.h"

#include <fmt/format.h>
#include <algorithm>

#include "core/history/event_matcher.h"
#include "core/history/kind_words.h"
#include "core/history/mutex_title.h"
#include "ui/models/words.h"
#include "ui/report/csv_text.h"

namespace leasescope {
namespace {

constexpr std::string_view kHeader = "number,time_ns,time_from_ns,contender,name,mutex,event,token,what,caused_by\r\n";
constexpr Sequence kGrain = 1024;  // events, until it is asked whether it is wanted still

class EventRows final : public RowReport {
 public:
  explicit EventRows(const ReportSubject& subject)
      : part_(subject.part),
        mutexes_(subject.mutexes),
        given_(subject.cast != nullptr),
        matcher_(subject.events, [](std::string_view text) { return fromText(text).toCaseFolded().toStdString(); }) {
    if (given_) {
      cast_ = *subject.cast;
      return;
    }
    std::vector<std::string> names;
    for (const ContenderRow& row : subject.data.contenders()) names.push_back(row.name);
    cast_.reset(std::move(names));
  }

  bool append(const History& history, ByteSink& out) override {
    if (!given_) cast_.sync(history);
    matcher_.learn(history.names, history.legend, [&](Name name) { return letter(history, name); });
    if (!begun_ && !out.put(kHeader)) return false;
    begun_ = true;
    for (next_ = std::max(next_, history.forgotten + 1); next_ <= history.last(); ++next_) {
      const Event& event = history.event(next_);
      if (next_ % kGrain == 0 && !out.go_on(next_, 0)) return false;
      if (reported(history, event) && matcher_.matches(event) && !out.put(line(history, event))) return false;
    }
    return true;
  }

 private:
  bool reported(const History& history, const Event& event) const {
    if (part_ && (event.hi < part_->first || event.lo > part_->second)) return false;
    if (mutexes_.empty() || event.mutex.empty()) return true;
    const std::string_view title = history.names.text(event.mutex);
    return std::any_of(mutexes_.begin(), mutexes_.end(),
                       [&](const std::string& each) { return is_called(each, title); });
  }

  std::string letter(const History& history, Name name) const {
    const int place = cast_.indexOf(history, name);
    return place < 0 ? std::string() : Cast::letter(place).toStdString();
  }

  std::string line(const History& history, const Event& event) const {
    const auto name = [&](Name of) { return of.empty() ? std::string() : csv_quoted(history.names.text(of)); };
    const auto figure = [](std::uint64_t n) { return n == 0 ? std::string() : fmt::format("{}", n); };
    return fmt::format("{},{},{},{},{},{},{},{},{},{}\r\n", next_, event.hi.time_since_epoch().count(),
                       event.lo.time_since_epoch().count(), letter(history, event.node), name(event.node),
                       name(event.mutex), csv_quoted(kind_words(history.legend, event)), figure(event.token),
                       csv_quoted(sentence(history, cast_, event).toStdString()), figure(event.cause));
  }

  std::optional<std::pair<TrueTime, TrueTime>> part_;
  std::vector<std::string> mutexes_;
  Cast cast_;
  bool given_;  // it knows everybody already
  EventMatcher matcher_;
  Sequence next_ = 1;
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<RowReport> event_rows(const ReportSubject& subject) { return std::make_unique<EventRows>(subject); }

// What `out` did not take is its own to tell.
tl::expected<void, std::string> events_csv(const ReportSubject& subject, ByteSink& out) {
  (void)EventRows(subject).append(subject.history, out);
  return {};
}

}  // namespace leasescope
