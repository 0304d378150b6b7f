#include "core/alerts/alert_note.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <utility>

namespace leasescope {
namespace {

constexpr std::array<std::string_view, 4> kDeeds{"began", "over", "acknowledged", "muted"};

}  // namespace

std::string_view text(AlertDeed deed) { return kDeeds[static_cast<std::size_t>(deed)]; }

std::optional<AlertDeed> alert_deed_of(std::string_view word) {
  const auto* const found = std::find(kDeeds.begin(), kDeeds.end(), word);
  if (found == kDeeds.end()) return std::nullopt;
  return static_cast<AlertDeed>(found - kDeeds.begin());
}

std::vector<AlertNote> over_by(const std::vector<AlertNote>& notes, TrueTime end) {
  std::map<std::uint64_t, AlertNote> last;
  for (const AlertNote& note : notes) {
    if (note.deed == AlertDeed::kOver) last.erase(note.alert);
    if (note.deed == AlertDeed::kBegan) last[note.alert] = note;
  }
  std::vector<AlertNote> out;
  for (auto& [number, note] : last) {
    note.deed = AlertDeed::kOver;
    note.at = note.until = std::max(note.at, end);
    out.push_back(std::move(note));
  }
  return out;
}

std::vector<FiredAlert> fired_alerts(const std::vector<AlertNote>& notes) {
  std::vector<FiredAlert> out;
  std::unordered_map<std::uint64_t, std::size_t> places;  // by number
  for (const AlertNote& note : notes) {
    if (note.deed == AlertDeed::kBegan) {
      places[note.alert] = out.size();
      FiredAlert& alert = out.emplace_back();
      alert.rule = note.rule;
      alert.kind = note.kind;
      alert.words = note.words;
      alert.subject = note.subject;
      alert.from = note.at;
      continue;
    }
    const auto found = places.find(note.alert);
    if (found == places.end()) continue;
    FiredAlert& alert = out[found->second];
    if (note.deed == AlertDeed::kOver) alert.to = note.at;
    if (note.deed == AlertDeed::kAcknowledged) alert.acknowledged = note.at;
    if (note.deed == AlertDeed::kMuted) alert.muted = {note.at, note.until};
  }
  return out;
}

}  // namespace leasescope
