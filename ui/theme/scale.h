// How large everything in the window is, in percent: letters, rows, pictures. Qt scales all of them alike, and takes
// the factor once, when it starts; what a desktop asks for (its dots per inch) comes on top.
#pragma once
#include <array>

#include <QStringList>

namespace leasescope {

inline constexpr std::array kScales{100, 125, 150, 175, 200};

// What was chosen last; 100 when it was nothing that can be.
int rememberedScale();
void rememberScale(int percent);
// So many steps larger, or smaller; no further than the last.
int scaleBeside(int percent, int steps);
// "150" or "150 %": within the steps' ends. 0 when it is not that.
int scaleOf(const QString& text);
// What follows `--scale` among a program's words, or is joined to it by "="; 0 when there is none, or it is none.
int scaleAmong(const QStringList& words);
// Before there is an application, with its words: as they say, else as QT_SCALE_FACTOR does where it is set, else as
// was chosen last. A picture (`--screenshot`) is not made larger by what was chosen.
void startScaled(const QStringList& words);

}  // namespace leasescope
