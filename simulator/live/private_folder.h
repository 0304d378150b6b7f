// A temporary folder of one process. A file in it is locked as long as the process lives, however that ends, so that
// others know what may go: neither a name nor a process's number says so, which are somebody else's in another
// container.
#pragma once
#include <memory>
#include <string>

#include <tl/expected.hpp>

namespace leasescope {

class PrivateFolder {
 public:
  // In the folder for temporary files; in /tmp where that one's path is longer than `longest` bytes with its own name.
  // Removes what killed processes of ours have left there. Errors are for people.
  static tl::expected<std::unique_ptr<PrivateFolder>, std::string> make(std::size_t longest);
  // Gone with all that lies in it.
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  PrivateFolder(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::string path_;
  int lock_;
};

// Removes the plain folders of our own user in `where` that hold such a file, unlocked. Never follows a link.
void remove_leftovers(const std::string& where);

}  // namespace leasescope
