#include "core/store/etcd/span_watch.h"

#include <utility>

#include <fmt/format.h>

#include "core/store/etcd/locks.h"
#include "core/store/store.h"
#include "core/time/duration_text.h"

namespace leasescope::etcd {
namespace {

constexpr int kPage = 500;

bool says_compacted(const Refusal& refusal) { return refusal.words.find("has been compacted") != std::string::npos; }

}  // namespace

SpanWatch::SpanWatch(Loop& loop, Gateway& gateway, KeySpan span, Ends ends)
    : loop_(&loop), gateway_(&gateway), span_(std::move(span)), ends_(std::move(ends)), late_(loop) {}

void SpanWatch::begin() {
  lose_line();
  revision_ = 0;
  asked_ = loop_->now();
  found_.clear();
  gateway_->forget(std::exchange(stream_, 0));
  ask_page(span_.from);
}

void SpanWatch::lose_line() {
  stands_ = false;
  late_.cancel();
}

void SpanWatch::ask_page(const std::string& from) {
  const TrueTime asked = loop_->now();
  gateway_->ask(range_question({from, span_.to}, kPage, revision_),
                [this, asked, from](const Answer<std::string>& text) {
                  const auto page = text.and_then([](const std::string& whole) { return read_range(whole); });
                  // It was gone through for so long that its first page is forgotten.
                  if (!page && revision_ > 0 && says_compacted(page.error())) return begin();
                  if (!page) return ends_.lost(page.error());
                  ends_.answered(asked, page->revision);
                  take_page(from, *page);
                });
}

void SpanWatch::take_page(const std::string& from, const RangeAnswer& page) {
  if (revision_ == 0) revision_ = page.revision;
  for (const KeyValue& each : page.keys)
    if (place_of(each.key)) found_.push_back(each);
  if (found_.size() > Locks::kMostPlaces) found_.resize(Locks::kMostPlaces);
  if (page.more && !page.keys.empty()) {
    const std::string& last = page.keys.back().key;
    if (last >= from) return ask_page(last + '\0');
    return ends_.lost({Refusal::kNotEtcd, "it answers, and not as etcd does: keys that were not asked for"});
  }
  ends_.found(std::exchange(found_, {}), asked_);
  watch();
}

// The server may accept, and say nothing.
void SpanWatch::watch() {
  late_.arm(kConnectTimeout, [this] {
    ends_.lost({Refusal::kNotEtcd, "no answer within " + format_duration(kConnectTimeout) + " of its watch"});
  });
  stream_ = gateway_->follow(
      watch_question(span_, revision_ + 1), [this](std::string_view line) { take_line(line); },
      [this](const Refusal& why) { ends_.lost(why); });
}

void SpanWatch::take_line(std::string_view line) {
  const auto answer = read_watch(line);
  if (!answer) return ends_.lost(answer.error());
  if (answer->canceled && answer->compacted > 0)
    return ends_.torn(
        fmt::format("what changed up to revision {} is compacted there, and was not told before", answer->compacted));
  if (answer->canceled) return ends_.lost({0, answer->reason.empty() ? "the server ended the watch" : answer->reason});
  if (answer->created) late_.cancel();
  if (answer->created && !std::exchange(stands_, true)) ends_.stands();
  if (!answer->changes.empty()) ends_.changed(*answer);
}

}  // namespace leasescope::etcd
