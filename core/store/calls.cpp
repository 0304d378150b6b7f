#include "core/store/calls.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/time/duration_text.h"

namespace leasescope {
namespace {

Reply without_answer(const Request& request, Ending ending) {
  Reply reply;
  reply.request = request.id;
  reply.kind = request.kind;
  reply.ending = ending;
  reply.mutex = request.mutex;
  return reply;
}

}  // namespace

Calls::Calls(Loop& loop, StoreListener& listener, std::function<void(const Request&)> on_timeout)
    : loop_(&loop), listener_(&listener), on_timeout_(std::move(on_timeout)) {}

void Calls::add(const Request& request) {
  auto call = std::make_unique<Call>(*loop_);
  call->request = request;
  call->sent = loop_->now();
  calls_[request.id] = std::move(call);
}

// One that is to end at the next turn has its alarm already.
void Calls::limit(const Request& request) {
  const std::uint64_t id = request.id;
  const auto found = calls_.find(id);
  if (found == calls_.end() || found->second->timer.armed()) return;
  found->second->timer.arm(request.timeout, [this, id] { time_out(id); });
}

void Calls::sent(std::uint64_t id) {
  const auto found = calls_.find(id);
  if (found == calls_.end() || found->second->was_sent) return;
  found->second->was_sent = true;
  found->second->sent = loop_->now();
}

void Calls::unsent(std::uint64_t id) {
  if (const auto found = calls_.find(id); found != calls_.end()) found->second->was_sent = false;
}

const Request* Calls::find(std::uint64_t id) const {
  const auto found = calls_.find(id);
  return found == calls_.end() ? nullptr : &found->second->request;
}

bool Calls::any(RequestKind kind) const {
  return std::any_of(calls_.begin(), calls_.end(),
                     [kind](const auto& each) { return each.second->request.kind == kind; });
}

void Calls::finish(const Reply& reply, const std::string& error) {
  const auto found = calls_.find(reply.request);
  if (found == calls_.end()) return;
  const std::unique_ptr<Call> call = std::move(found->second);
  calls_.erase(found);
  listener_->on_reply(reply, call->sent, loop_->now(), error);
}

void Calls::fail(std::uint64_t id, const std::string& error) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;
  Reply reply = without_answer(found->second->request, Ending::kFailed);
  reply.refused = found->second->was_sent;
  finish(reply, error);
}

void Calls::finish_soon(const Reply& reply) {
  const auto found = calls_.find(reply.request);
  if (found == calls_.end()) return;
  found->second->timer.arm(Duration::zero(), [this, reply] { finish(reply); });
}

void Calls::fail_soon(std::uint64_t id, const std::string& error) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;
  found->second->timer.arm(Duration::zero(), [this, id, error] { fail(id, error); });
}

void Calls::time_out(std::uint64_t id) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;
  const Request request = found->second->request;
  const bool was_sent = found->second->was_sent;
  // First the line: the listener's next call, made while it is told, must not go out on a dying one.
  if (was_sent) on_timeout_(request);
  finish(without_answer(request, was_sent ? Ending::kUnknown : Ending::kFailed),
         fmt::format("no answer within {}", format_duration(request.timeout)));
}

void Calls::break_line(bool messages, const std::string& reason) {
  std::vector<std::pair<Request, bool>> broken;
  for (const auto& [id, call] : calls_)
    if (is_of_messages(call->request.kind) == messages) broken.emplace_back(call->request, call->was_sent);
  for (const auto& [request, was_sent] : broken)
    finish(without_answer(request, was_sent ? Ending::kUnknown : Ending::kFailed), reason);
}

}  // namespace leasescope
