#include "core/store/etcd/gateway.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/store/store.h"
#include "core/time/duration_text.h"

namespace leasescope::etcd {
namespace {

constexpr std::size_t kMostAnswer = 4U << 20;    // a page of keys, or a value, which etcd takes up to 1.5 MB of
constexpr std::size_t kLongestLine = 8U << 20;   // of a stream, which is asked to come in pieces of 1.5 MB
constexpr std::size_t kMostRefusal = 16U << 10;  // of what a stream that is refused says
constexpr int kDone = 200;

HttpTerms terms_of(const StoreUrl& url) {
  const auto option = [&](const char* name) {
    const auto found = url.options.find(name);
    return found == url.options.end() ? std::string() : found->second;
  };
  return {option("cacert"), option("cert"), option("key")};
}

Refusal refusal_of(const HttpEnded& ended, std::string_view text) {
  if (ended.late) return {Refusal::kNotEtcd, "no answer within " + format_duration(kConnectTimeout)};
  if (!ended.trouble.empty()) return {Refusal::kNotEtcd, escaped(ended.trouble, kLongestError)};
  if (ended.status != kDone) return read_refusal(ended.status, text);
  return {Refusal::kNotEtcd, "the server ended it"};
}

// What has come of one answer.
struct Coming {
  std::string text;
  LineCutter lines{kLongestLine};
};

}  // namespace

Gateway::Gateway(Loop& loop, const StoreUrl& url) : transfers_(loop, terms_of(url)), sealed_(url.sealed) {}

void Gateway::turn_to(const Endpoint& server) {
  forget();
  token_.clear();
  const bool v6 = server.host.find(':') != std::string::npos;
  server_ =
      fmt::format("{}://{}{}{}:{}", sealed_ ? "https" : "http", v6 ? "[" : "", server.host, v6 ? "]" : "", server.port);
}

HttpRequest Gateway::request_of(const Question& question) const {
  HttpRequest out;
  out.url = server_ + question.path;
  out.body = question.body;
  out.authorization = token_;
  out.to_connect = kConnectTimeout;
  out.most = kMostAnswer;
  return out;
}

void Gateway::ask(const Question& question, Heard heard) {
  ++asked_;
  HttpRequest request = request_of(question);
  request.at_most = kConnectTimeout;
  const auto coming = std::make_shared<Coming>();
  const auto id = std::make_shared<Transfers::Id>();
  const auto came = [this, coming, id, heard](std::string_view bytes) {
    coming->text += bytes;
    if (coming->text.size() <= kMostAnswer) return;
    transfers_.cancel(*id);
    heard(tl::unexpected(Refusal{Refusal::kNotEtcd, "it says more than it was asked for"}));
  };
  const auto ended = [coming, heard = std::move(heard)](const HttpEnded& how) {
    if (how.trouble.empty() && how.status == kDone) return heard(std::move(coming->text));
    heard(tl::unexpected(refusal_of(how, coming->text)));
  };
  *id = transfers_.begin(request, {came, ended});
}

// An answer that is no stream has no line, and comes to its end.
Transfers::Id Gateway::follow(const Question& question, Line line, Ended ended) {
  ++asked_;
  const auto coming = std::make_shared<Coming>();
  const auto id = std::make_shared<Transfers::Id>();
  const auto came = [this, coming, id, line, ended](std::string_view bytes) {
    if (coming->text.size() < kMostRefusal) coming->text += bytes.substr(0, kMostRefusal);
    // Whoever hears a line may have forgotten the stream.
    const bool sound = coming->lines.take(bytes, [&](std::string_view each) {
      line(each);
      return transfers_.has(*id);
    });
    if (sound || !transfers_.has(*id)) return;
    transfers_.cancel(*id);
    ended({Refusal::kNotEtcd, fmt::format("a line of it is longer than {} MB", kLongestLine >> 20U)});
  };
  const auto over = [coming, ended = std::move(ended)](const HttpEnded& how) {
    const bool told = how.trouble.empty() && how.status == kDone && !coming->lines.rest().empty();
    // Why it ends may stand behind its last line, without an end of its own.
    if (auto why = told ? read_watch(coming->lines.rest()) : Answer<WatchAnswer>(); !why) return ended(why.error());
    ended(refusal_of(how, coming->text));
  };
  HttpRequest request = request_of(question);
  request.most = kLongestLine;
  return *id = transfers_.begin(request, {came, over});
}

}  // namespace leasescope::etcd
