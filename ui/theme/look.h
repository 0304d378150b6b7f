// Which theme the window wears: light, dark or the system's; tells everybody when that changes.
#pragma once
#include <QObject>
#include <QPalette>

#include "ui/look/tokens.h"

namespace leasescope {

enum class ThemeChoice : int { kLight, kDark, kSystem };

class Look : public QObject {
  Q_OBJECT
 public:
  // The one look of the application.
  static Look& instance();

  ThemeChoice choice() const { return choice_; }
  void choose(ThemeChoice choice);
  Theme theme() const { return theme_; }
  const Colours& colours() const { return leasescope::colours(theme_); }
  // Style, palette and font of the application, once at the start.
  void dress();

 signals:
  void changed(Theme theme);

 private:
  Look();
  static Theme systemTheme();
  void apply();

  ThemeChoice choice_ = ThemeChoice::kSystem;
  Theme theme_ = Theme::kLight;
  bool dressed_ = false;
};

QPalette paletteFor(Theme theme);
// "light", "dark", "system"; anything else gives `fallback`.
ThemeChoice themeChoice(const QString& word, ThemeChoice fallback);
QString word(ThemeChoice choice);

inline const Colours& ink() { return Look::instance().colours(); }

}  // namespace leasescope
