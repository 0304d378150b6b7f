// One thing that is measured of a history while it grows: a file in this folder, and its line in statistics.h.
#pragma once
#include <string_view>
#include <variant>

#include "core/history/history.h"
#include "core/history/measures/measured.h"
#include "core/history/standing.h"

namespace leasescope {

using Courses = std::vector<OffsetCourse>;
using Measured = std::variant<Lengths, Rate, Courses>;

class Measure {
 public:
  virtual ~Measure() = default;

  virtual std::string_view name() const = 0;   // "hand-off"
  virtual std::string_view about() const = 0;  // "from a release to another's grant"
  // An event that comes; `standing` has not taken it in yet.
  virtual void take(const Event& event, const Standing& standing) = 0;
  // In which shape it is does not hang on whether anything was measured yet.
  virtual const Measured& measured() const = 0;
};

// One that is made of lengths, of a rate, or of courses.
template <class Shape>
class MeasureOf : public Measure {
 public:
  const Measured& measured() const override { return measured_; }

 protected:
  Shape& shape() { return std::get<Shape>(measured_); }

 private:
  Measured measured_ = Shape{};
};

}  // namespace leasescope
