# What every input of the virtual world runs through is optimised when a program is linked: a twentieth to a tenth
# faster than as one translation unit (tests/bench, contention/N, both builds in turns). Not all folders take part,
# because each program pays for them with some seconds.
#
# Small functions go into whoever calls them, however large that becomes; larger ones stay apart (15; -O3 says 30), as
# all of it together hardly fits the instruction cache. g++ joins neighbouring fields into wide stores and loads, which
# wait for each other. At the link it warns wrongly of strings.
#
# The core's objects hold ordinary code too: the static client library is merged from that.
if(LEASESCOPE_LTO AND CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  foreach(room leasescope_core leasescope_simulator)
    target_compile_options(
      ${room} PRIVATE -fno-tree-slp-vectorize "SHELL:--param max-inline-insns-auto=15"
                      "SHELL:--param inline-unit-growth=300" "SHELL:--param large-function-growth=1000")
    get_target_property(hot ${room} SOURCES)
    list(FILTER hot INCLUDE REGEX "/(core|simulator/(engine|model))/|/bare_run.cpp")
    list(FILTER hot EXCLUDE REGEX "/core/(loop|store|contend/driver)/")
    set(kind -fno-fat-lto-objects)
    if(room STREQUAL "leasescope_core")
      set(kind -ffat-lto-objects)
    endif()
    set_source_files_properties(${hot} PROPERTIES COMPILE_OPTIONS "-flto=auto;${kind}")
  endforeach()
  add_link_options(-flto=auto -Wno-stringop-overflow)
endif()
