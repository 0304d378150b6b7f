// Names of several histories in one: whoever bears a name that another has already gets a number.
#pragma once
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace leasescope {

class JoinedNames {
 public:
  // Those of one more history, each once; by the name they had, what they are called now.
  std::map<std::string, std::string> add(const std::vector<std::string>& names);

 private:
  std::set<std::string> taken_;
};

// "orders" of "orders (2)", and of a name without a number that name.
std::string_view without_number(std::string_view name);

// Where these names stand as words of their own, what they are called now; longer ones first.
std::string renamed(std::string_view text, const std::map<std::string, std::string>& names);

// What two lists in one text have, each once: "a + b" and "b + c" are "a + b + c".
std::string joined_list(const std::string& a, const std::string& b, std::string_view between);
// Whether both have one.
bool lists_meet(const std::string& a, const std::string& b, std::string_view between);

}  // namespace leasescope
