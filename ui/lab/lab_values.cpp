#include "ui/lab/lab_values.h"

#include <filesystem>

#include <QFileInfo>

#include "core/store/types/types.h"
#include "simulator/scenario/catalogue.h"
#include "simulator/scenario/differences.h"
#include "simulator/scenario/text_file.h"

namespace leasescope {

tl::expected<LabSource, InputError> findSource(const std::string& nameOrPath) {
  for (const BuiltIn& builtIn : built_in_scenarios())
    if (builtIn.name == nameOrPath) return LabSource{builtIn.name, builtIn.toml};
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
  const std::string_view text(values.toml.constData(), static_cast<std::size_t>(values.toml.size()));
  auto scenario = read_scenario(text, source.name);
  if (!scenario) return scenario;
  scenario->name = source.isFile() ? std::filesystem::path(source.name).stem().string() : source.name;
  if (text == source.toml) return scenario;
  const auto original = read_scenario(source.toml, source.name);
  if (!original) return scenario;  // the text is what mends it
  scenario->edits = edits_between(*scenario, *original);
  scenario->mutex.named = scenario->mutex.name != original->mutex.name;
  if (!same_run(*scenario, *original)) scenario->replay.reset();  // it is no longer what the file tells of
  return scenario;
}

LabSource newSource() {
  return {"untitled",
          "schema = 1\ntitle = \"A new scenario\"\nseed = 1\nduration = \"30s\"\n\n"
          "[mutex]\nname = \"orders\"\nttl = \"5s\"\ntransition = \"2s\"\n\n"
          "[[contender]]\ncount = 3\n\n[[resource]]\nname = \"ledger\"\n",
          false, false};
}

std::string shownStore(const std::string& store) {
  if (store == "model") return store;
  const auto url = parse_store_url(store);
  return url ? printable(*url) : std::string("a store");  // cannot be: only stores that were read are kept
}

}  // namespace leasescope
