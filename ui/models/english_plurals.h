// English as it is said of one and of several: "%n incident(s)" is "1 incident" and "4 incidents", "%n mutex(es)" is
// "1 mutex" and "4 mutexes".
#pragma once
#include <QTranslator>

namespace leasescope {

// Translates what is counted and bears "(s)" or "(es)"; of all else it says nothing, so that the text stays as it is.
// The catalogue of another language is installed after it, and then asked before it.
class EnglishPlurals : public QTranslator {
 public:
  using QTranslator::QTranslator;
  bool isEmpty() const override { return false; }
  QString translate(const char* context, const char* text, const char* note, int count) const override;
};

}  // namespace leasescope
