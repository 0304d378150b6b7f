// Fusion made flat: frames, focus, tabs, buttons and fields. Colours come from the look.
#pragma once
#include <QProxyStyle>

namespace leasescope {

// Dynamic properties a widget may carry; set before it is shown, or followed by repolish().
inline constexpr const char* kPrimary = "primary";  // QPushButton: filled with ink
inline constexpr const char* kInvalid = "invalid";  // QLineEdit, QComboBox, QCheckBox: its value was refused
inline constexpr const char* kTall = "tall";        // QTabBar: as high as it is itself, in its own size of letters
void setInvalid(QWidget* field, bool invalid);
bool flagged(const QWidget* widget, const char* property);

class Style : public QProxyStyle {
  Q_OBJECT
 public:
  Style();

  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
  void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                   const QWidget* widget) const override;
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                          const QWidget* widget) const override;
  QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl sub,
                       const QWidget* widget) const override;
  QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                         const QWidget* widget) const override;
  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* data) const override;
  void polish(QWidget* widget) override;
  using QProxyStyle::polish;
};

}  // namespace leasescope
