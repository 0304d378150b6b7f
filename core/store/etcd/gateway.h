// One server's JSON gateway: questions that are answered within a moment, and streams of lines.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/store/etcd/answers.h"
#include "core/store/etcd/line_cutter.h"
#include "core/store/etcd/requests.h"
#include "core/store/etcd/transfers.h"
#include "core/store/url.h"

namespace leasescope::etcd {

class Gateway {
 public:
  // Called from the loop, never from within a call of this class.
  using Heard = std::function<void(const Answer<std::string>& text)>;
  using Line = std::function<void(std::string_view line)>;
  using Ended = std::function<void(const Refusal& why)>;

  Gateway(Loop& loop, const StoreUrl& url);

  // All that is asked from here on is asked of that one; what is open is forgotten.
  void turn_to(const Endpoint& server);
  // Of whoever has logged in; empty: nobody has to.
  void be(const std::string& token) { token_ = token; }
  void ask(const Question& question, Heard heard);
  Transfers::Id follow(const Question& question, Line line, Ended ended);
  void forget(Transfers::Id stream) { transfers_.cancel(stream); }
  // Nobody is told of what is open.
  void forget() { transfers_.cancel_all(); }

  std::uint64_t asked() const { return asked_; }

 private:
  HttpRequest request_of(const Question& question) const;

  Transfers transfers_;
  bool sealed_;
  std::string server_, token_;
  std::uint64_t asked_ = 0;
};

}  // namespace leasescope::etcd
