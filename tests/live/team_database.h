// A team's history as tests write it and read it again: each test has a database of its own on a private PostgreSQL.
#pragma once
#include <QtGlobal>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/history/history.h"
#include "core/history/history_header.h"
#include "core/history/recording/recording_writer.h"
#include "core/history/team/catalogue.h"
#include "core/history/team/connection.h"
#include "core/history/team/team_reader.h"
#include "core/history/team/team_sink.h"
#include "core/store/url.h"
#include "simulator/live/private_server.h"

namespace leasescope::tests {

inline constexpr std::int64_t kEpoch = 1'764'000'000'000'000'000;  // 24 November 2025

// What is committed there is on the disk.
inline PrivateServerOptions that_remembers() {
  PrivateServerOptions out;
  out.remembers = true;
  return out;
}

inline HistoryHeader header_at(std::int64_t epoch_ns) {
  HistoryHeader out;
  out.program = "9.8.7";
  out.scenario = "watch";
  out.world = "live";
  out.store = "redis://h";
  out.epoch_ns = epoch_ns;
  return out;
}

inline team::TeamTerms terms_of(const char* observer) {
  team::TeamTerms out;
  out.observer = observer;
  out.program = "9.8.7";
  return out;
}

inline RecordingTerms quick() {
  RecordingTerms out;
  out.written_at = 40;
  out.written_after = std::chrono::milliseconds(5);
  return out;
}

inline std::unique_ptr<RecordingWriter> writer_to(const StoreUrl& url, const team::TeamTerms& terms,
                                                  std::int64_t epoch_ns = kEpoch) {
  auto sink = team::TeamSink::open(url, terms);
  if (!sink) qFatal("%s", sink.error().words.c_str());
  auto out = std::make_unique<RecordingWriter>("team", std::move(*sink), quick());
  out->head(header_at(epoch_ns));
  return out;
}

// What a recording is refused with; empty: it is not.
inline std::string refusal(const StoreUrl& url, const team::TeamTerms& terms) {
  auto sink = team::TeamSink::open(url, terms);
  return sink ? std::string() : sink.error().words;
}

// All of that observer, in the order of their begins.
inline std::vector<team::TeamRecording> recordings_of(const StoreUrl& url, const char* observer) {
  auto reading = team::TeamReading::open(url);
  if (!reading) qFatal("%s", reading.error().c_str());
  return (*reading)->recordings(observer).value();
}

// All of it, as it is read back.
inline History whole(const StoreUrl& url, const team::TeamRecording& recording) {
  auto reader = team::TeamReader::open(team::TeamReading::open(url).value(), recording);
  if (!reader) qFatal("%s", reader.error().c_str());
  History out = (*reader)->frame();
  while ((*reader)->read_page(out.events)) {
  }
  if (!(*reader)->error().empty()) qFatal("%s", (*reader)->error().c_str());
  return out;
}

// What somebody does there by hand: the first field of the first row, or what is wrong.
inline std::string by_hand(const StoreUrl& url, const std::string& sql) {
  auto connection = team::Connection::open(url, {});
  if (!connection) return connection.error().words;
  auto answer = (*connection)->say(sql);
  if (!answer) return answer.error().words;
  return answer->size() == 0 ? std::string() : std::string(answer->text(0, 0));
}

// Each test has a database of its own.
inline StoreUrl with_database(StoreUrl url, const std::string& name) {
  by_hand(url, "create database " + name);
  url.database = name;
  return url;
}

}  // namespace leasescope::tests
