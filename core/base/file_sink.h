// A document that goes into a file as it is made: beside it first, and under its name when it is whole. Until then, and
// when nothing comes of it, an older file of that name stays as it was.
#pragma once
#include <filesystem>
#include <functional>
#include <string>

#include <tl/expected.hpp>

#include "core/base/byte_sink.h"
#include "core/base/file_part.h"

namespace leasescope {

// Of one thread. Where links lead, and what mode the file has, is as write_whole() has it (core/base/whole_file.h):
// what cannot be replaced is written to as it is, but only when all of it is there; a device or a pipe at once.
class FileSink final : public ByteSink {
 public:
  using GoOn = std::function<bool(std::uint64_t done, std::uint64_t all)>;

  // `wanted` is asked by whoever writes; none: it always is. Nothing is made before the first bytes have come.
  explicit FileSink(std::string path, GoOn wanted = {});
  ~FileSink() override;  // what has not got its name goes
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;

  bool put(std::string_view bytes) override;
  bool go_on(std::uint64_t done, std::uint64_t all) override;
  // All that came is written, beside its place; false: it failed, or is not wanted. What is left to commit() is a
  // moment.
  bool settle();
  // Nobody wants it any more.
  bool unwanted() const { return unwanted_; }
  // That it was written, or why not: the path, what the system said, and what helps. Once.
  tl::expected<void, std::string> commit();

 private:
  int begin();
  int flush();
  int close();
  int copy_over() const;
  bool fail(int error);
  void drop();

  std::string path_;
  GoOn wanted_;
  std::filesystem::path target_;
  FilePart part_;
  std::string waiting_;  // too little to be written yet
  bool begun_ = false;
  bool direct_ = false;  // a device: there is no part
  bool aside_ = false;   // the part lies elsewhere, and is copied
  bool unwanted_ = false;
  int error_ = 0;  // errno
};

}  // namespace leasescope
