#include "ui/lab/lab_values.h"

#include <algorithm>
#include <filesystem>

#include <QFileInfo>

#include <fmt/format.h>

#include "core/store/types/types.h"
#include "simulator/scenario/catalogue.h"
#include "simulator/scenario/text_file.h"

namespace leasescope {

tl::expected<LabSource, InputError> findSource(const std::string& nameOrPath) {
  for (const BuiltIn& builtIn : built_in_scenarios())
    if (builtIn.name == nameOrPath) return LabSource{builtIn.name, builtIn.toml, true};
  auto text = read_text_file(nameOrPath);
  if (text) return LabSource{nameOrPath, std::move(*text), false};
  InputError error;
  error.file = nameOrPath;
  const QFileInfo file(QString::fromStdString(nameOrPath));
  const bool looksLikeFile = nameOrPath.find('.') != std::string::npos || nameOrPath.find('/') != std::string::npos;
  if (file.isFile())
    error.message = "the file " + text.error();
  else if (looksLikeFile)
    error.message = std::string("the file cannot be read: ") +
                    (file.exists() ? "it is no regular file" : "No such file or directory");
  else
    error.message = "there is no such scenario and no such file; expected a name of the list or a TOML file";
  return tl::make_unexpected(error);
}

tl::expected<Scenario, InputError> readScenario(const LabSource& source, const LabValues& values) {
  std::vector<std::string> overrides;
  for (const auto& [key, value] : values.overrides) overrides.push_back(fmt::format("{}={}", key, value));
  auto scenario = read_scenario(source.toml, source.name, overrides);
  if (!scenario) return scenario;
  scenario->name = source.builtIn ? source.name : std::filesystem::path(source.name).stem().string();
  for (const int row : values.faultsOff)
    if (row >= 0 && static_cast<std::size_t>(row) < scenario->faults.size())
      scenario->faults[static_cast<std::size_t>(row)].enabled = false;
  return scenario;
}

std::string shownStore(const std::string& store) {
  if (store == "model") return store;
  const auto url = parse_store_url(store);
  return url ? printable(*url) : std::string("a store");  // cannot be: only stores that were read are kept
}

}  // namespace leasescope
