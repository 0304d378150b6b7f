#include "ui/theme/look.h"

#include <QApplication>
#include <QGuiApplication>
#include <QStyleHints>

#include "ui/look/fonts.h"
#include "ui/theme/style.h"

namespace leasescope {

Look::Look() = default;

Look& Look::instance() {
  static Look look;
  return look;
}

Theme Look::systemTheme() {
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
  return QGuiApplication::styleHints()->colorScheme() == Qt::ColorScheme::Dark ? Theme::kDark : Theme::kLight;
#else
  // 6.4 does not say; the platform's own palette, read before ours is set, does.
  static const bool dark = QGuiApplication::palette().color(QPalette::Window).lightness() < 128;
  return dark ? Theme::kDark : Theme::kLight;
#endif
}

void Look::choose(ThemeChoice choice) {
  choice_ = choice;
  const Theme system = systemTheme();
  theme_ = choice == ThemeChoice::kSystem ? system : choice == ThemeChoice::kDark ? Theme::kDark : Theme::kLight;
  if (dressed_) apply();
}

void Look::dress() {
  systemTheme();  // remembered before the palette is ours
  dressed_ = true;
  QApplication::setStyle(new Style);
  QApplication::setFont(font(Face::kText, measures().font_body));
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
  connect(QGuiApplication::styleHints(), &QStyleHints::colorSchemeChanged, this, [this] {
    if (choice_ == ThemeChoice::kSystem) choose(choice_);
  });
#endif
  choose(choice_);
}

void Look::apply() {
  QApplication::setPalette(paletteFor(theme_));
  emit changed(theme_);
}

QPalette paletteFor(Theme theme) {
  const Colours& c = colours(theme);
  QPalette palette;
  const std::pair<QPalette::ColorRole, QColor> roles[] = {{QPalette::Window, c.window},
                                                          {QPalette::WindowText, c.text},
                                                          {QPalette::Base, c.input},
                                                          {QPalette::AlternateBase, c.chart_alt},
                                                          {QPalette::Text, c.text},
                                                          {QPalette::Button, c.panel},
                                                          {QPalette::ButtonText, c.text},
                                                          {QPalette::Highlight, c.selection},
                                                          {QPalette::HighlightedText, c.text},
                                                          {QPalette::PlaceholderText, c.muted},
                                                          {QPalette::Link, c.text},
                                                          {QPalette::LinkVisited, c.text},
                                                          {QPalette::Mid, c.line},
                                                          {QPalette::Dark, c.line_strong},
                                                          {QPalette::Midlight, c.hover},
                                                          {QPalette::Light, c.panel},
                                                          {QPalette::Shadow, c.line_strong},
                                                          {QPalette::BrightText, c.on_accent},
                                                          {QPalette::ToolTipBase, c.input},
                                                          {QPalette::ToolTipText, c.text}};
  for (const auto& [role, value] : roles) palette.setColor(role, value);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
    palette.setColor(QPalette::Disabled, role, c.faint);
  return palette;
}

ThemeChoice themeChoice(const QString& word, ThemeChoice fallback) {
  if (word == QLatin1String("light")) return ThemeChoice::kLight;
  if (word == QLatin1String("dark")) return ThemeChoice::kDark;
  if (word == QLatin1String("system")) return ThemeChoice::kSystem;
  return fallback;
}

QString word(ThemeChoice choice) {
  switch (choice) {
    case ThemeChoice::kLight:
      return QStringLiteral("light");
    case ThemeChoice::kDark:
      return QStringLiteral("dark");
    case ThemeChoice::kSystem:
      break;
  }
  return QStringLiteral("system");
}

}  // namespace leasescope
