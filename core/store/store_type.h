// What a store is to everything that lets people name one: programs, window, live world and tests go through these, and
// know no store by its name.
#pragma once
#include <algorithm>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "core/observe/belief_sender.h"
#include "core/observe/observer.h"
#include "core/store/frames.h"
#include "core/store/late_answers.h"
#include "core/store/server_recipe.h"
#include "core/store/store.h"
#include "core/store/store_look.h"
#include "core/store/url_form.h"
#include "core/store/url_text.h"

namespace leasescope {

// A key of the model that stands for a store in virtual time, and what it has to say for the model to be as a private
// server is: {"tick", "250ms"}.
struct ModelTerm {
  std::string_view key;
  std::string value;
};

struct StoreType {
  // ---- how it is named
  std::vector<std::string_view> words;    // alone they ask for a private server; the first is its name, "redis"
  std::string_view title;                 // for people, "Redis"
  std::vector<std::string_view> schemes;  // what its URLs begin with, "redis://"; the first is the one to show
  std::vector<std::string_view> forms;    // of its URLs, as help and errors give them
  std::vector<UrlWay> ways;               // that its URLs go, for whoever fills in a form; the first is the usual one
  std::string_view several_hosts;         // what several in one URL are, for help: "servers of one ensemble"
  std::string_view passwords;             // where else a password may stand, for help: "REDISCLI_AUTH"
  url_text::Parsed (*parse)(std::string_view scheme, std::string_view rest) = nullptr;  // the rest is after the scheme
  std::string (*printable)(const StoreUrl& url) = nullptr;  // of a given one: never with the password
  // Where a URL may name several servers that know nothing of each other: each of them, as if it were alone. Null: it
  // names one store.
  std::vector<StoreUrl> (*apart)(const StoreUrl& url) = nullptr;
  // Of how many servers a private one may be made, beside one alone, that are one store together: "word?servers=3".
  std::vector<int> ensembles;

  // ---- what it does
  std::string_view model;                // the model that stands for it in virtual time, by its word in a scenario
  std::vector<ModelTerm> private_terms;  // of that model, as the recipe below makes servers; empty: as the model itself
  // Of requests, that it can carry; the first is what a client takes. None: no contender of ours can meet others there,
  // its locks are only watched (why_not_contended()), and what a contender or a private server needs below is null.
  std::vector<Family> families{Family::kLease};
  std::vector<WakeUp> wake_ups{WakeUp::kBroadcast};  // how else a release wakes who waits
  // What a URL says of that already, "legacy=on"; empty, or null: nothing.
  std::string (*fixes_wake_up)(const StoreUrl& url) = nullptr;
  bool tells = true;  // waiters hear of a release from it; else they wake by their timers alone
  // A lease is kept in a row, not in a key that ends: a release may find its lease over, and on the older wires an
  // acquire renews the caller's own.
  bool rows = false;
  int descriptors_over_tls = 1;  // that one of its lines takes then
  // Whether the contenders of one loop that go the same way have their lines together. Null: each has its own.
  bool (*shares_lines)(const StoreUrl& url) = nullptr;

  // ---- how it is used
  // What is known of its password beside the URL; empty when nothing is. Connects to nobody.
  tl::expected<std::string, std::string> (*password)(const StoreUrl& url) = nullptr;
  // The look before a run whose requests are of that family. Tries what the run will do, blocks for a few seconds at
  // most; told to stop, for no more than a moment: its result is then of no use.
  Looked (*probe)(const StoreUrl& url, Family family, const std::vector<std::string>& mutexes,
                  const std::stop_token& stop) = nullptr;
  // One contender's adapter, for requests of that family. `timeout` bounds what the server may wait for on its behalf.
  std::unique_ptr<Store> (*make)(Loop& loop, const StoreUrl& url, Family family, const StoreRoute& route,
                                 Duration timeout, WireNames& names, StoreListener& listener) = nullptr;
  ServerRecipe (*recipe)(const ServerPlace& place) = nullptr;
  bool (*answers)(const StoreUrl& url) = nullptr;  // a private server, already? Asked again and again while it starts
  // Who looks at its mutexes, read-only, and tells what it sees. Null: nobody can.
  std::unique_ptr<Observer> (*observe)(Loop& loop, const StoreUrl& url, const ObserverTerms& terms,
                                       ObserverListener& listener) = nullptr;
  // Lines for a POSIX shell by which an operator sees what stands there of a mutex: by the store's own client, which
  // asks for a password where there is one. Null, or none: there is nothing that it would show.
  std::vector<std::string> (*raw_commands)(const StoreUrl& url, const Sighting& seen) = nullptr;
  // Who tells on its channel what contenders believe. Null: it has no messages for that.
  std::unique_ptr<BeliefSender> (*tell_beliefs)(Loop& loop, const StoreUrl& url, BeliefSender::Events events) = nullptr;
  // Its observer hears them where it hears of changes, and needs nothing for that which others would miss.
  bool hears_beliefs_aside = false;
  // Ends every client's connection at the server, as its administrator would. Errors are the server's words.
  tl::expected<void, std::string> (*cut_sessions)(const StoreUrl& url) = nullptr;

  // ---- what faults do to a private server; each blocks for a moment. Null: it does not happen there
  // The mutex's key is deleted by hand.
  tl::expected<void, std::string> (*erase)(const StoreUrl& url, const std::string& mutex) = nullptr;
  // The session of whoever holds the mutex ends, as if the store itself had ended it.
  tl::expected<void, std::string> (*end_session)(const StoreUrl& url, const std::string& mutex) = nullptr;
  // A transaction holds the mutex's row, until what is returned goes.
  tl::expected<std::shared_ptr<void>, std::string> (*stall)(const StoreUrl& url, const std::string& mutex) = nullptr;

  // ---- what a private server's replica is told; each blocks for a moment. Null: there is none
  // It gives up what it holds, and takes what the leader that is found there holds and will hold.
  tl::expected<void, std::string> (*follow)(const StoreUrl& replica, const Endpoint& leader) = nullptr;
  // Whether it has all that its leader holds, but for what is on its way.
  tl::expected<bool, std::string> (*follows)(const StoreUrl& replica) = nullptr;
  // It follows nobody, and takes writes, with what it has got.
  tl::expected<void, std::string> (*lead)(const StoreUrl& replica) = nullptr;

  // ---- what a proxy in between reads
  std::unique_ptr<FrameReader> (*frames)(Speaker speaker) = nullptr;
  bool numbered = false;  // an answer bears its request's number; else its turn tells what it answers
  std::unique_ptr<LateAnswers> (*late_answers)() = nullptr;  // null: nobody can tell

  std::string_view name() const { return words.front(); }
  bool wakes(WakeUp mode) const { return std::find(wake_ups.begin(), wake_ups.end(), mode) != wake_ups.end(); }
  bool is_only_watched() const { return families.empty(); }
  Family first_family() const { return families.front(); }  // not of one that is only watched
  bool carries(Family family) const { return std::find(families.begin(), families.end(), family) != families.end(); }
};

// For whoever wants to contend at one that is only watched: "etcd is only watched: …".
std::string why_not_contended(const StoreType& type);

}  // namespace leasescope
