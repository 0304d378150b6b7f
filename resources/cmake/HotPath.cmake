# What every input of the virtual world runs through is optimised when a program is linked: a twentieth to a tenth
# faster than as one translation unit (tests/bench, contention/N, both builds in turns). Not all folders take part,
# because each program pays for them with some seconds.
#
# Small functions go into whoever calls them, however large that becomes; larger ones stay apart (15; -O3 says 30), as
# all of it together hardly fits the instruction cache. g++ joins neighbouring fields into wide stores and loads, which
# wait for each other. At the link it warns wrongly of strings.
#
# The objects hold ordinary code too: the static client library is merged from the core's, and the programs of the tests
# are linked from it, in two seconds each instead of fifty. They get archives that hold nothing else (leasescope_plain):
# ld 2.40 finds g++'s plug-in by itself, and takes the other kind wherever there is one.
if(LEASESCOPE_LTO AND CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  foreach(room leasescope_core leasescope_simulator)
    target_compile_options(
      ${room} PRIVATE -fno-tree-slp-vectorize "SHELL:--param max-inline-insns-auto=15"
                      "SHELL:--param inline-unit-growth=300" "SHELL:--param large-function-growth=1000")
    get_target_property(hot ${room} SOURCES)
    list(FILTER hot INCLUDE REGEX "/(core|simulator/(engine|model))/|/bare_run.cpp")
    list(FILTER hot EXCLUDE REGEX "/core/(loop|store|contend/driver)/")
    set_source_files_properties(${hot} PROPERTIES COMPILE_OPTIONS "-flto=auto;-ffat-lto-objects")
    add_custom_command(
      TARGET ${room} POST_BUILD VERBATIM
      COMMAND ${CMAKE_OBJCOPY} --remove-section=.gnu.lto_* --remove-section=.gnu.debuglto_* $<TARGET_FILE:${room}>
              $<TARGET_FILE:${room}>.plain)
  endforeach()
  add_link_options(-flto=auto -Wno-stringop-overflow)
  set(CMAKE_LINK_LIBRARY_USING_plain "<LIBRARY>.plain")
  set(CMAKE_LINK_LIBRARY_USING_plain_SUPPORTED TRUE)
endif()

# leasescope_plain(PROGRAM): of code that was optimised when it was compiled, and not again at the link.
function(leasescope_plain program)
  if(CMAKE_LINK_LIBRARY_USING_plain_SUPPORTED)
    set_target_properties(${program} PROPERTIES LINK_LIBRARY_OVERRIDE plain,leasescope_core,leasescope_simulator)
  endif()
endfunction()
