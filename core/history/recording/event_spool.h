// Events that will be read once more, in their order, and are not held meanwhile: in a file without a name, which goes
// with whoever wrote it, however that ends.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/history/history.h"

namespace leasescope {

class EventSpool {
 public:
  // Made when the first events come: in that folder, or where the system has room for what lasts a moment.
  explicit EventSpool(std::filesystem::path folder) : folder_(std::move(folder)) {}
  ~EventSpool();
  EventSpool(const EventSpool&) = delete;
  EventSpool& operator=(const EventSpool&) = delete;

  // What has come since; of it nothing may have been forgotten. These give why it failed, empty where it did not.
  std::string append(const History& history);
  // All of it again: `page` has the names, and gets the events behind the last ones that it had before. `take` is
  // called for each page, and answers whether it wants another one.
  std::string each_page(History& page, const std::function<bool()>& take) const;

 private:
  struct Block {
    std::uint64_t at = 0;  // in the file
    std::uint32_t bytes = 0, events = 0;
    Sequence first = 0;  // the number of its first event
  };

  int open();

  std::filesystem::path folder_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::vector<Block> blocks_;
  Sequence read_ = 0;
  std::string bytes_;
};

}  // namespace leasescope
