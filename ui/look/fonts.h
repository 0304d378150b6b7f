// The two faces of the window: text and figures. Inter and JetBrains Mono where installed, else the system's own.
#pragma once
#include <QFont>

namespace leasescope {

enum class Face : std::uint8_t { kText, kMono };

// Figures in kMono are tabular, so numbers that stand under each other use it. Weights: 400, 500, 600.
QFont font(Face face, int px, int weight = 400);

// While one lives, the fonts that its thread is given set every letter as it is written, without the forms that hang on
// its neighbours: Inter raises a ':' between figures and a '-' between capitals, and makes an arrow of "->". No letter
// leads back to such a form, and so whoever copies it from a file finds a blank. What is paid is the kerning.
class LettersAsWritten {
 public:
  LettersAsWritten();
  ~LettersAsWritten();
  LettersAsWritten(const LettersAsWritten&) = delete;
  LettersAsWritten& operator=(const LettersAsWritten&) = delete;
  static bool wanted();  // by whoever asks now
};

}  // namespace leasescope
