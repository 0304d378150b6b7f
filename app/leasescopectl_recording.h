// The commands of `leasescopectl recording`, each of which leaves its exit code.
#pragma once

namespace CLI {
class App;
}

namespace leasescope::ctl {

void add_recording_info(CLI::App& group, int& exit);
void add_recording_export(CLI::App& group, int& exit);
void add_recording_merge(CLI::App& group, int& exit);
void add_recording_import(CLI::App& group, int& exit);
void add_recording_compact(CLI::App& group, int& exit);
void add_recording_compare(CLI::App& group, int& exit);
void add_recording_retain(CLI::App& group, int& exit);

}  // namespace leasescope::ctl
