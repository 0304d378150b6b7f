// Where a document goes, a piece at a time, so that nobody holds all of it; and whether it is wanted still.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace leasescope {

// Whoever writes into one asks `go_on` every few rows, and leaves off when the answer is no: the document failed, which
// the sink knows better, or nobody wants it any more.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  // False: it was not taken, and nothing more will be.
  virtual bool put(std::string_view bytes) = 0;
  // So much of `all` is done; `all` 0: how much there is is not known. Costs next to nothing.
  virtual bool go_on(std::uint64_t done, std::uint64_t all) = 0;
};

// All of it as one text, for what is small, and for tests.
class TextSink final : public ByteSink {
 public:
  bool put(std::string_view bytes) override {
    text_ += bytes;
    return true;
  }
  bool go_on(std::uint64_t /*done*/, std::uint64_t /*all*/) override { return true; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace leasescope
