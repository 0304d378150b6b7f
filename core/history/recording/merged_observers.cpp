#include "core/history/recording/merged_observers.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/history/mutex_title.h"
#include "core/history/recording/joint_history.h"
#include "core/history/recording/merged_history.h"
#include "core/history/recording/recording_reader.h"
#include "core/time/duration_text.h"

namespace leasescope {
namespace {

using Sources = std::vector<MergedHistory::Source>;

constexpr double kFurthestApart = 1e18;  // ns, some thirty years: a clock was wrong, and nothing follows from it

// A watch says what it looked at, and has no legend of what it met.
bool may_be_of_a_watch(const HistorySource& source) {
  const Legend& legend = source.frame().legend;
  const bool told = !legend.mutexes.empty() || !legend.contenders.empty() || !legend.faults.empty();
  return source.header().world == "live" && source.header().epoch_ns && !told;
}

// The store whose name its mutexes need not bear.
std::string first_store(const HistoryHeader& header) {
  if (header.watch && !header.watch->stores.empty()) return header.watch->stores.front().name;
  return header.store.substr(0, header.store.find(", "));
}

// From when on nothing is known of what an unfinished one tells no end of.
TrueTime known_until(const RecordingReader& reader) {
  const TrueTime now = reader.frame().now;
  if (reader.outcome() || !reader.known()) return now;
  TrueTime out = now;
  for (const TrueTime each : {reader.known()->ours, reader.known()->foreign})
    if (each > TrueTime{}) out = std::min(out, each);
  return out;
}

// Whether mutexes of one name are the same one, as all are at one store. Else they are where their stores are, too.
bool is_of_one_store(const Sources& sources) {
  std::set<std::string> stores;
  for (const MergedHistory::Source& each : sources)
    if (may_be_of_a_watch(*each.source)) stores.insert(each.source->header().store);
  return stores.size() == 1 && stores.begin()->find(", ") == std::string::npos;
}

// What a mutex of a recording is called beside those of others.
std::string common_title(const std::string& title, const std::string& store, bool with_store) {
  return with_store && name_in(title) == title ? mutex_title(title, store) : title;
}

// By the place of each source: whether it tells of a mutex that another tells of, too.
std::vector<bool> share_a_mutex(const Sources& sources, bool with_store) {
  std::map<std::string, std::set<std::size_t>> places;  // by the mutex's title
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (!may_be_of_a_watch(*sources[i].source)) continue;
    const std::string store = first_store(sources[i].source->header());
    for (const std::string& each : sources[i].mutexes) places[common_title(each, store, with_store)].insert(i);
  }
  std::vector<bool> out(sources.size());
  for (const auto& [title, all] : places)
    for (const std::size_t place : all) out[place] = out[place] || all.size() > 1;
  return out;
}

// All of one, where it is of a watch; none: it is not, or cannot be read.
std::optional<ObservedPart> read_observed(const std::string& path, bool with_store, NameTable& names) {
  auto reader = RecordingReader::open(path);
  if (!reader || !may_be_of_a_watch(*reader)) return {};
  ObservedPart out;
  for (std::uint32_t handle = 0; handle < reader->frame().names.size(); ++handle)
    out.names.push_back(names.intern(reader->frame().names.text({handle})));
  out.mutexes = out.names;
  const std::string store = first_store(reader->header());
  std::vector<char> met(out.names.size());
  std::vector<Event> page;
  for (; reader->read_page(page); page.clear())
    for (Event event : page) {
      const std::uint32_t handle = event.mutex.handle;
      if (!event.mutex.empty() && !std::exchange(met[handle], 1))
        out.mutexes[handle] =
            names.intern(common_title(std::string(reader->frame().names.text(event.mutex)), store, with_store));
      event.node = out.names[event.node.handle];
      event.mutex = out.mutexes[handle];
      if (!out.account.tell(event)) return {};
    }
  if (!reader->error().empty()) return {};
  out.account.finish(known_until(*reader));
  out.source = std::make_unique<RecordingReader>(std::move(*reader));
  return out;
}

// Those whose clocks are known by one another's, the first of them the one that the others are compared with.
struct Group {
  std::vector<std::size_t> members;  // places of paths
  std::vector<PlacedClock> clocks;
};

class Placing {
 public:
  Placing(const std::vector<std::string>& paths, const MergeTerms& terms,
          std::vector<std::optional<ObservedPart>>& parts)
      : paths_(paths), terms_(terms), parts_(parts), placed_(paths.size()) {}

  std::vector<Group> groups();
  std::vector<std::string> said;

 private:
  // What of a recording that has no place yet was found beside one that has.
  struct Found {
    OffsetBounds ahead;
    AgreedOffset offset;
    std::size_t beside = 0;
  };

  bool add_next(Group& group);
  bool add_given(Group& group, std::size_t place);
  std::optional<Found> best(const Group& group, std::size_t place) const;
  std::optional<AgreedOffset> between(std::size_t a, std::size_t b) const;
  void say_why_not(std::size_t place, const std::vector<Group>& all);

  const std::vector<std::string>& paths_;
  const MergeTerms& terms_;
  std::vector<std::optional<ObservedPart>>& parts_;
  std::vector<bool> placed_;
};

std::vector<Group> Placing::groups() {
  std::vector<Group> out;
  for (std::size_t first = 0; first < paths_.size(); ++first) {
    if (placed_[first]) continue;
    placed_[first] = true;
    Group& group = out.emplace_back();
    group.members.push_back(first);
    group.clocks.emplace_back();
    while (parts_[first] && add_next(group)) {
    }
  }
  for (const Group& group : out)
    if (group.members.size() == 1) say_why_not(group.members.front(), out);
  return out;
}

bool Placing::add_next(Group& group) {
  for (std::size_t place = 0; place < paths_.size(); ++place) {
    if (placed_[place] || !parts_[place]) continue;
    if (add_given(group, place)) return true;
    if (terms_.ahead.count(paths_[place]) > 0) continue;
    const std::optional<Found> found = best(group, place);
    if (!found) continue;
    const std::string text = fmt::format(
        "its clock is {} by {} grants and ends that both saw, if neither is more than {} ppm off",
        offset_text(found->offset.bounds, paths_[found->beside] + "'s"), found->offset.agree, kClockTolerancePpm);
    placed_[place] = true;
    group.members.push_back(place);
    group.clocks.push_back({found->ahead, text});
    std::string more;
    if (const std::size_t others = found->offset.shared - found->offset.agree; others > 0)
      more = fmt::format(" ({} more contradict that)", others);
    said.push_back(fmt::format("{}: {}{}", paths_[place], text, more));
    return true;
  }
  return false;
}

// Beside the first of all, which whoever gives it speaks of.
bool Placing::add_given(Group& group, std::size_t place) {
  const auto given = terms_.ahead.find(paths_[place]);
  if (given == terms_.ahead.end() || group.members.front() != 0) return false;
  const std::string text =
      fmt::format("its clock is taken to be {} ahead of {}'s", format_duration(given->second), paths_.front());
  placed_[place] = true;
  group.members.push_back(place);
  group.clocks.push_back({{given->second, given->second}, text});
  said.push_back(fmt::format("{}: {}", paths_[place], text));
  return true;
}

std::optional<AgreedOffset> Placing::between(std::size_t a, std::size_t b) const {
  const std::int64_t of_a = *parts_[a]->source->header().epoch_ns, of_b = *parts_[b]->source->header().epoch_ns;
  if (std::abs(static_cast<double>(of_b) - static_cast<double>(of_a)) > kFurthestApart) return {};
  return offset_between(parts_[a]->account, parts_[b]->account, Duration(of_b - of_a));
}

// By that one of the group beside which it is known best.
std::optional<Placing::Found> Placing::best(const Group& group, std::size_t place) const {
  std::optional<Found> out;
  for (std::size_t i = 0; i < group.members.size(); ++i) {
    const std::optional<AgreedOffset> offset = between(group.members[i], place);
    if (!offset || !offset->is_known()) continue;
    const OffsetBounds& beside = group.clocks[i].ahead;
    const OffsetBounds ahead{beside.lo + offset->bounds.lo, beside.hi + offset->bounds.hi};
    if (!out || ahead.hi - ahead.lo < out->ahead.hi - out->ahead.lo) out = {ahead, *offset, group.members[i]};
  }
  return out;
}

// Of one that stays alone, though it has events in common with another; of two who do, once.
void Placing::say_why_not(std::size_t place, const std::vector<Group>& all) {
  if (!parts_[place]) return;
  const auto is_alone = [&](std::size_t other) {
    return std::any_of(all.begin(), all.end(),
                       [&](const Group& group) { return group.members.size() == 1 && group.members.front() == other; });
  };
  for (std::size_t other = 0; other < paths_.size(); ++other) {
    if (other == place || !parts_[other] || (other > place && is_alone(other))) continue;
    const std::optional<AgreedOffset> offset = between(other, place);
    if (!offset || offset->is_known()) continue;
    if (offset->shared < AgreedOffset::kEnough)
      said.push_back(
          fmt::format("{}: it has too little in common with {} to know how far their clocks are apart ({}): "
                      "each has its own rows, by the wall clock",
                      paths_[place], paths_[other], offset->shared));
    else
      said.push_back(
          fmt::format("{}: no offset of its clock from {}'s fits most of the {} grants and ends that both saw "
                      "({} at most): each has its own rows, by the wall clock",
                      paths_[place], paths_[other], offset->shared, offset->agree));
  }
}

std::string why_not_given(const std::vector<std::string>& paths, const MergeTerms& terms) {
  for (const auto& [path, ahead] : terms.ahead) {
    const auto found = std::find(paths.begin(), paths.end(), path);
    if (found == paths.end())
      return fmt::format("{}: an offset is given of it, and it is none of the recordings", path);
    if (found == paths.begin())
      return fmt::format("{}: it is the first, by whose clock the others are ahead or behind: give theirs", path);
  }
  return {};
}

// Each group as one account, and those of one member as they are.
tl::expected<std::unique_ptr<HistorySource>, std::string> joined_groups(const std::vector<Group>& groups,
                                                                        const std::vector<std::string>& paths,
                                                                        std::vector<std::optional<ObservedPart>>& parts,
                                                                        const NameTable& names) {
  Sources sources;
  for (const Group& group : groups) {
    if (group.members.size() == 1) {
      auto source = MergedHistory::one_of_several(paths[group.members.front()]);
      if (!source) return tl::make_unexpected(source.error());
      sources.push_back(std::move(*source));
      continue;
    }
    std::vector<ObservedPart> members;
    for (const std::size_t place : group.members) members.push_back(std::move(*parts[place]));
    auto joint = std::make_unique<JointHistory>(std::move(members), group.clocks, names);
    std::vector<std::string> mutexes = joint->mutexes();
    sources.push_back({std::move(joint), std::move(mutexes)});
  }
  if (sources.size() == 1) return std::move(sources.front().source);
  auto merged = MergedHistory::of(std::move(sources));
  if (!merged) return tl::make_unexpected(merged.error());
  return std::move(*merged);
}

}  // namespace

tl::expected<MergedObservers, std::string> merged_observers(const std::vector<std::string>& paths,
                                                            const MergeTerms& terms) {
  if (std::string reason = why_not_given(paths, terms); !reason.empty()) return tl::make_unexpected(std::move(reason));
  MergedObservers out;
  if (paths.size() == 1 || !terms.by_shared_events) {
    auto apart = MergedHistory::open(paths);
    if (!apart) return tl::make_unexpected(apart.error());
    out.source = std::move(*apart);
    return out;
  }
  Sources sources;
  for (const std::string& path : paths) {
    auto source = MergedHistory::one_of_several(path);
    if (!source) return tl::make_unexpected(source.error());
    sources.push_back(std::move(*source));
  }
  const bool with_store = !is_of_one_store(sources);
  const std::vector<bool> shares = share_a_mutex(sources, with_store);
  auto apart = MergedHistory::of(std::move(sources));
  if (!apart) return tl::make_unexpected(apart.error());
  out.source = std::move(*apart);

  NameTable names;
  std::vector<std::optional<ObservedPart>> parts(paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const bool given = !terms.ahead.empty() && (i == 0 || terms.ahead.count(paths[i]) > 0);
    if (shares[i] || given) parts[i] = read_observed(paths[i], with_store, names);
    if (parts[i]) ++out.held;
    if (given && !parts[i])
      return tl::make_unexpected(
          fmt::format("{}: it is not what a watch recorded, or is damaged: no offset of it is taken", paths[i]));
  }
  Placing placing(paths, terms, parts);
  const std::vector<Group> groups = placing.groups();
  out.said = std::move(placing.said);
  if (groups.size() == paths.size()) return out;
  auto joined = joined_groups(groups, paths, parts, names);
  if (!joined) return tl::make_unexpected(joined.error());
  out.source = std::move(*joined);
  return out;
}

}  // namespace leasescope
