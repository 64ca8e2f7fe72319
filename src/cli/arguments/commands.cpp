#include "cli/arguments/commands.hpp"

#include <thaw/bytes.hpp>

#include <array>

namespace thaw::cli {
namespace {

using K = ValueKind;
using S = Settings;

// --- options
// ----------------------------------------------------------------------------------------------------

constexpr OptionSpec kHelp{'h', "help", K::none, "", &S::help, "show this help"};
constexpr OptionSpec kJson{'\0', "json",   K::none,
                           "",   &S::json, "JSON for machines on stdout (docs/library/json.md)"};
constexpr OptionSpec kQuiet{'q', "quiet", K::none, "", &S::quiet, "errors only"};
constexpr OptionSpec kVerbose{'v', "verbose", K::none, "", &S::verbose, "all findings, not only errors"};
constexpr OptionSpec kColor{
    '\0', "color", K::choice, "auto|always|never", &S::color, "colours in messages; NO_COLOR is honoured"};
constexpr OptionSpec kProgress{
    '\0',         "progress",
    K::choice,    "auto|always|never|json",
    &S::progress, "progress on stderr, auto: only on a terminal; after half a second"};

constexpr OptionSpec kStrict{'\0', "strict",   K::none,
                             "",   &S::strict, "fail on a file that is damaged anywhere"};
constexpr OptionSpec kMaxInput{'\0',    "max-input",   K::size,
                               "BYTES", &S::max_input, "refuse larger inputs (suffixes K, M, G, T)"};
constexpr OptionSpec kTimeout{'\0',      "timeout",   K::positive,
                              "SECONDS", &S::timeout, "fail a file that takes longer"};
constexpr OptionSpec kModelTimeout{'\0',      "timeout",   K::positive,
                                   "SECONDS", &S::timeout, "fail a model that takes longer (default 60)"};
constexpr OptionSpec kMaxMemory{'\0',    "max-memory",   K::size,
                                "BYTES", &S::max_memory, "memory bound of the whole run (suffixes K, M, G)"};

constexpr OptionSpec kIsolate{
    '\0', "isolate", K::none, "", &S::isolate, "read each file in a sandboxed process, for untrusted files"};

constexpr OptionSpec kMaxPixels{
    '\0',    "max-pixels",   K::size,
    "BYTES", &S::max_pixels, "memory bound of one scene's decoded images (default 1G; suffixes K, M, G)"};

constexpr OptionSpec kMaxScene{
    '\0',    "max-scene",   K::size,
    "BYTES", &S::max_scene, "memory bound of one scene without its images (default 1G; suffixes K, M, G)"};
constexpr OptionSpec kMaxOutput{
    '\0',    "max-output",   K::size,
    "BYTES", &S::max_output, "bytes that one input may produce (default 4G; suffixes K, M, G, T)"};

constexpr OptionSpec kRecursive{'r', "recursive",   K::none,
                                "",  &S::recursive, "look into folders; files of other formats are skipped"};
constexpr OptionSpec kFolders{'r',           "recursive",
                              K::none,       "",
                              &S::recursive, "no effect: folders are always added with all folders in them"};
constexpr OptionSpec kIntoArchives{
    '\0', "into-archives",   K::none,
    "",   &S::into_archives, "with -r, also read the files inside maps and archives"};
constexpr OptionSpec kInclude{'\0',        "include",
                              K::text,     "GLOB",
                              &S::include, "with -r, only these files (repeatable; case does not matter)"};
constexpr OptionSpec kExclude{'\0',   "exclude",   K::text,
                              "GLOB", &S::exclude, "with -r, skip these files (repeatable)"};
constexpr OptionSpec kFilesFrom{'\0',           "files-from",
                                K::file,        "FILE",
                                &S::files_from, "read names of inputs from FILE, one per line; - is stdin"};
constexpr OptionSpec kShard{
    '\0',
    "shard",
    K::text,
    "K/N",
    &S::shard,
    "process only the Kth of N parts, to divide a batch between machines; the file's name decides its part"};
constexpr OptionSpec kMerge{'\0', "merge",   K::none,
                            "",   &S::merge, "merge the JSON reports of a sharded survey (FILEs) into one"};
constexpr OptionSpec kCsv{'\0', "csv", K::file, "FILE", &S::csv, "also write a CSV table of all files"};
constexpr OptionSpec kHash{
    '\0',         "hash",   K::choice,
    "sha256|md5", &S::hash, "checksum each file's bytes, and list the files that are copies of others"};
constexpr OptionSpec kNull{
    '0', "null", K::none, "", &S::null_separated, "names in --files-from end with NUL"};
constexpr OptionSpec kJobs{
    'j', "jobs",   K::count,
    "N", &S::jobs, "process N files at once (default: one per core); the output is the same",
    1,   256};
constexpr OptionSpec kThreads{
    'j', "jobs", K::count, "N", &S::jobs, "threads (default: one per core); the image is the same", 1, 256};
constexpr OptionSpec kFailFast{'\0', "fail-fast",   K::none,
                               "",   &S::fail_fast, "stop a batch at the first failure"};

constexpr OptionSpec kSource{
    '\0',
    "source",
    K::file,
    "DIR|ARCHIVE",
    &S::sources,
    "also search this folder, archive or installed game for textures (repeatable, the last wins)"};
constexpr OptionSpec kListfile{
    '\0',   "listfile",    K::file,
    "FILE", &S::listfiles, "file names for archives, or `id;path` for FileDataIDs (repeatable)"};
constexpr OptionSpec kCodePage{
    '\0',          "encoding-of-names",
    K::choice,     kCodePageWords,
    &S::code_page, "code page of names in maps and models (auto guesses it from all names)"};
constexpr OptionSpec kVariant{'\0',
                              "variant",
                              K::text,
                              "WORD",
                              &S::variants,
                              "variant of an installation: hd, sd, definitive, teen, deDE, its product, … "
                              "(repeatable)"};
constexpr OptionSpec kNoDefaultSources{
    '\0', "no-default-sources",   K::none,
    "",   &S::no_default_sources, "do not search the model's folder and its parents"};

constexpr OptionSpec kOutput{
    'o',        "output",
    K::file,    "OUT",
    &S::output, "output file, or folder if it is one, ends in /, or there are several inputs; - is stdout"};
constexpr OptionSpec kOutputFolder{'o',   "output",   K::folder,
                                   "DIR", &S::output, "output folder; created if it does not exist"};
constexpr OptionSpec kTo{
    '\0',
    "to",
    K::choice,
    "glb|gltf|mdx|mdl|m3|png|blp|blp2|dds|tga|jpg|webp|mrf|nsa|mrn|dme|dot|graph-json|wmo|wmo-v14|wmo-v17|"
    "mdx-"
    "alpha|"
    "heightmap|"
    "maps|minimap|adt-lk|wdt",
    &S::to,
    "output format (default: by the extension of OUT, else glb for models, png for textures)"};
constexpr OptionSpec kProfile{'\0',
                              "profile",
                              K::choice,
                              "compat|rich|blender",
                              &S::profile,
                              "compat: shown by every viewer; rich: adds animation pointers and node "
                              "visibility; blender: for editing in Blender and converting back"};
constexpr OptionSpec kExtras{
    '\0',
    "extras",
    K::choice,
    "full|minimal|none",
    &S::gltf_extras,
    "game data that glTF has no field for (default full); minimal: what --onto needs, none: only the axis"};
constexpr OptionSpec kQuantize{
    '\0', "quantize",   K::none,
    "",   &S::quantize, "store normals, UVs and rotations in fewer bits (KHR_mesh_quantization)"};
constexpr OptionSpec kCompress{
    '\0',         "compress",
    K::choice,    "none|meshopt",
    &S::compress, "pack buffers as EXT_meshopt_compression; readers must know it (default none)"};
constexpr OptionSpec kInstances{
    '\0', "instances",   K::none,
    "",   &S::instances, "write models that are placed several times as EXT_mesh_gpu_instancing"};
constexpr OptionSpec kAnimationFiles{'\0',
                                     "animations",
                                     K::choice,
                                     "together|separate",
                                     &S::animation_files,
                                     "separate: write each animation into OUT@CLIP.glb (default together)"};
constexpr OptionSpec kTextureFormat{
    '\0',
    "texture-format",
    K::choice,
    "png|jpeg|webp|keep",
    &S::texture_format,
    "textures in glTF (default png); jpeg: those without alpha; webp: lossless; keep: PNG and JPEG files "
    "unchanged"};
constexpr OptionSpec kBakeGlobal{
    '\0', "bake-global",   K::none,
    "",   &S::bake_global, "copy global sequences into every animation, for viewers that play one at a time"};
constexpr OptionSpec kTeamColor{'\0',    "team-color",   K::text,
                                "COLOR", &S::team_color, "player 0 to 23 or #RRGGBB (default 0, red)"};
constexpr OptionSpec kTeamColors{
    '\0',
    "team-color",
    K::text,
    "COLOR|all",
    &S::team_color,
    "player 0 to 23 or #RRGGBB (default 0, red); all: a variant for each player (KHR_materials_variants)"};
constexpr OptionSpec kScale{
    '\0',        "scale",
    K::positive, "FACTOR",
    &S::scale,   "length of a unit of the game in the output (default 0.01; 1 for World of Warcraft)"};
constexpr OptionSpec kLod{'\0',    "lod",   K::text,
                          "N|all", &S::lod, "level of detail, 0 being the finest (default 0)"};
constexpr OptionSpec kNewLevels{
    '\0', "lods",         K::count,
    "N",  &S::new_levels, "glTF to .m3 and .dme: create up to N coarser levels, each with half the triangles",
    1};
constexpr OptionSpec kCollision{'\0', "collision",   K::none,
                                "",   &S::collision, "WMO and M3: include the collision mesh"};
constexpr OptionSpec kSwapInheritance{
    '\0',
    "swap-inheritance",
    K::none,
    "",
    &S::swap_inheritance,
    R"(MDX and MDL: read node flag 0x2 as "do not inherit rotation" and 0x4 as "scaling", not the reverse)"};
constexpr OptionSpec kReplaceable{
    '\0',
    "replaceable",
    K::text,
    "ID=FILE",
    &S::replaceables,
    "texture for a replaceable id: a file, or a game path that the sources have; repeatable"};
constexpr OptionSpec kDoodadSet{
    '\0',  "doodad-set",   K::text,
    "SET", &S::doodad_set, "WMO: doodad set to place besides the first, by number or name; or all, or none"};
constexpr OptionSpec kPortals{'\0', "portals",   K::none,
                              "",   &S::portals, "WMO: include the portals between groups as meshes"};
constexpr OptionSpec kPngLevel{
    '\0', "png-level", K::count, "N", &S::png_level, "1 (fast) to 12 (small), default 6", 1, 12};
constexpr OptionSpec kEncoding{
    '\0',         "encoding",
    K::choice,    "auto|jpeg|palette|bc1|bc3|bc5|bgra",
    &S::encoding, "pixel encoding of .blp and .dds (default auto: the most accurate)"};
constexpr OptionSpec kQuality{'\0',        "quality",
                              K::count,    "N",
                              &S::quality, "quality of JPEG in .blp, .jpg and glTF, 1 to 100 (default 92)",
                              1,           100};
constexpr OptionSpec kTextureSize{
    '\0', "max-size", K::count, "PIXELS", &S::max_side, "reduce textures until no side is longer", 1};
constexpr OptionSpec kShownTextureSize{
    '\0',     "max-size",   K::count,
    "PIXELS", &S::max_side, "reduce textures until no side is longer; the WoW Alpha client accepts 256",
    1};
constexpr OptionSpec kNoMipmaps{'\0', "no-mipmaps",   K::none,
                                "",   &S::no_mipmaps, "only the full size in .blp and .dds"};
constexpr OptionSpec kEvery{'\0', "every", K::count, "N", &S::every, "MRF: keep only every Nth frame", 1};
constexpr OptionSpec kMaxError{
    '\0',    "max-error",   K::positive,
    "UNITS", &S::max_error, "MRF: drop frames that interpolation reproduces within this error"};
constexpr OptionSpec kFormatVersion{
    '\0', "format-version",   K::count,
    "N",  &S::format_version, "version to write: MDX 800 to 1800, M3 2 to 4; losses are reported"};
constexpr OptionSpec kTolerance{'\0',          "tolerance",
                                K::positive,   "SHARE",
                                &S::tolerance, "glTF to MDX: largest deviation of a curve (default 0.00005)"};
constexpr OptionSpec kSd{'\0', "sd", K::none, "", &S::sd, "glTF to MDX: write all materials as SD"};
constexpr OptionSpec kHd{'\0',    "hd",
                         K::none, "",
                         &S::hd,  "glTF to MDX 900 and later: write all materials as HD, with six textures"};
constexpr OptionSpec kBare{'\0', "bare",   K::none,
                           "",   &S::bare, "glTF to MDX: add nothing that the scene lacks"};
constexpr OptionSpec kTexturePath{
    '\0',   "texture-path",   K::text,
    "PATH", &S::texture_path, "glTF to MDX: folder of its textures in the game"};
constexpr OptionSpec kFront{
    '\0',      "front",
    K::choice, "x|y|z|-x|-y|-z",
    &S::front, "glTF: axis of the file that the model faces (default: as the file states, else z)"};
constexpr OptionSpec kOnto{
    '\0',   "onto",   K::file,
    "FILE", &S::onto, "glTF: merge the edits onto this original; unchanged parts keep its bytes"};
constexpr OptionSpec kWeights{'\0', "weights",   K::none,
                              "",   &S::weights, "with --format-version, convert matrix groups to weights"};
constexpr std::string_view kSteps =
    "tracks|keys|curves|nodes|texture-animations|materials|textures|global-sequences|geosets|vertices";
constexpr OptionSpec kMaxShare{
    '\0',    "max-error",   K::positive,
    "SHARE", &S::max_error, "largest deviation, as a fraction of the model's size (default 0.0001)"};
constexpr OptionSpec kOnly{'\0',   "only",         K::choice,
                           kSteps, &S::only_steps, "run only this step of the optimization (repeatable)"};
constexpr OptionSpec kSkip{'\0',   "skip",         K::choice,
                           kSteps, &S::skip_steps, "skip this step of the optimization (repeatable)"};
constexpr OptionSpec kExcept{'\0',   "except",       K::choice,
                             kSteps, &S::skip_steps, "the same as --skip (repeatable)"};
constexpr OptionSpec kSmaller{'n', "dry-run",   K::none,
                              "",  &S::dry_run, "report the savings without writing anything"};
constexpr OptionSpec kRemove{
    '\0',
    "remove",
    K::text,
    "KIND[:WHICH]",
    &S::removals,
    "geoset, sequence, emitter, …, by number, name or pattern; alone, all of them (repeatable)"};
constexpr OptionSpec kRenameSequence{
    '\0',
    "rename-sequence",
    K::text,
    "OLD=NEW",
    &S::renamed_sequences,
    "rename sequences; * in OLD matches any characters, * in NEW repeats them (repeatable)"};
constexpr OptionSpec kRepath{
    '\0',
    "repath",
    K::text,
    "OLD=NEW",
    &S::repaths,
    "change paths of textures and models (M3: file ids), as --rename-sequence does (repeatable)"};
constexpr OptionSpec kCopyClips{'\0',
                                "copy-clips",
                                K::text,
                                "FILE[:PATTERN]",
                                &S::copied_clips,
                                "copy sequences from another model, matched by node names (repeatable)"};
constexpr OptionSpec kBoneMap{
    '\0',          "bone-map",   K::text,
    "THEIRS=OURS", &S::bone_map, "with --copy-clips, map a node to one of another name (repeatable)"};
constexpr OptionSpec kAttach{
    '\0',         "attach",
    K::text,      "FILE@NODE",
    &S::attached, "merge another model into this one at a node such as 'Hand Right Ref' (repeatable)"};
constexpr OptionSpec kWithTextures{
    '\0',
    "with-textures",
    K::none,
    "",
    &S::with_textures,
    "with --format-version 800: convert HD textures to BLP with team colour, and drop what is unused"};
constexpr OptionSpec kDisabled{
    '\0', "disabled", K::none, "", &S::disabled, "icons: make the disabled version, grey and dark (DISBTN)"};
constexpr OptionSpec kAddAttachment{'\0',
                                    "add-attachment",
                                    K::text,
                                    "NAME[@NODE][:X,Y,Z]",
                                    &S::added_attachments,
                                    "add an attachment point at a node or at the origin (repeatable)"};
constexpr OptionSpec kTeamColorLayer{
    '\0',
    "team-color-layer",
    K::text,
    "MATERIAL",
    &S::team_color_layers,
    "add a team colour layer under a material, by number, or * for all (repeatable)"};
constexpr OptionSpec kScaleBy{'\0', "scale", K::positive, "FACTOR", &S::scale, "scale the whole model"};
constexpr OptionSpec kRotate{'\0',          "rotate",
                             K::text,       "[AXIS,]DEGREES",
                             &S::rotations, "rotate the whole model about z, or about x or y (repeatable)"};
constexpr OptionSpec kMove{'\0', "move", K::text, "X,Y,Z", &S::move, "move the whole model, in game units"};
constexpr OptionSpec kThenOptimize{'\0', "optimize",   K::none,
                                   "",   &S::optimize, "run `thaw optimize` on the result"};
constexpr OptionSpec kPrecision{'\0',
                                "precision",
                                K::count,
                                "N",
                                &S::precision,
                                "significant digits in MDL, 1 to 9 (default: as many as needed to be exact)",
                                1,
                                9};
constexpr OptionSpec kIndent{
    '\0', "indent", K::choice, "tab|1|2|3|4|8", &S::indent, "MDL indentation: tab, or spaces per level"};
constexpr OptionSpec kLineEnding{'\0',      "line-ending",   K::choice,
                                 "lf|crlf", &S::line_ending, "line endings of MDL"};
constexpr OptionSpec kMdlDialect{'\0',
                                 "mdl-dialect",
                                 K::choice,
                                 "community|world-editor",
                                 &S::mdl_dialect,
                                 "MDL spelling: community tools or World Editor"};
constexpr OptionSpec kPlain{'\0', "plain",   K::none,
                            "",   &S::plain, "write MDL without the comments that preserve MDX-only data"};
constexpr OptionSpec kClip{'\0',    "clip",   K::text,
                           "REGEX", &S::clip, "animations to convert, by name (default all)"};
constexpr OptionSpec kSkeleton{
    '\0',         "skeleton",
    K::text,      "NAME|FILE",
    &S::skeleton, "skeleton of a network by name; for .nsa, .dme and glTF, FILE.mrn or FILE.mrn:NAME"};
constexpr OptionSpec kAnimation{
    '\0',   "animation",    K::file,
    "FILE", &S::animations, "add an animation (.nsa) that plays on the skeleton (repeatable)"};
constexpr OptionSpec kRate{'\0',
                           "rate",
                           K::positive,
                           "HZ",
                           &S::sample_rate,
                           "glTF to .nsa and .mrn: samples per second of body and root (default: the rate "
                           "that meets all keys, else 30)"};
constexpr OptionSpec kSceneBoneMap{'\0',
                                   "bone-map",
                                   K::text,
                                   "FILE|mixamo|rigify",
                                   &S::scene_bone_map,
                                   "glTF to .nsa and .mrn: file with lines of NODE = BONE, with * in both"};
constexpr OptionSpec kRootMotion{
    '\0',     "root-motion",   K::choice,
    "on|off", &S::root_motion, "whether animations move the character (default on)"};
constexpr OptionSpec kMaterials{
    '\0',   "materials",   K::file,
    "FILE", &S::materials, "materials_3.xml with the vertex layouts of Forgelight models"};
constexpr OptionSpec kBones{'\0', "bones", K::none, "", &S::bones, "show bones of a skeleton as shapes"};
constexpr OptionSpec kFlat{'\0', "flat",   K::none,
                           "",   &S::flat, "write all outputs into one folder; equal names get -2, -3, …"};
constexpr OptionSpec kForce{'f', "force", K::none, "", &S::force, "overwrite existing files"};
constexpr OptionSpec kYes{'y', "yes", K::none, "", &S::force, "the same as --force"};
constexpr OptionSpec kSkipExisting{'\0', "skip-existing",   K::none,
                                   "",   &S::skip_existing, "skip inputs whose outputs exist"};
constexpr OptionSpec kDryRun{'n', "dry-run",   K::none,
                             "",  &S::dry_run, "list what would be written without writing anything"};

constexpr OptionSpec kTiles{
    '\0',      "tiles",   K::text,
    "X-X,Y-Y", &S::tiles, "maps: only these columns and rows of tiles, such as 30-34,41-44 or 30,41"};
constexpr OptionSpec kMoveTiles{
    '\0',  "move-tiles",   K::text,
    "X,Y", &S::move_tiles, "to .wdt: move tiles east and south by this many, such as 2,-1"};
constexpr OptionSpec kChunks{
    '\0',       "chunks",
    K::text,    "X,Y:X-X,Y-Y",
    &S::chunks, "to .wdt: use only these chunks of the last map, such as 31,48:4-7,0-3 or 31,48"};
constexpr OptionSpec kMoveChunks{
    '\0',  "move-chunks",   K::text,
    "X,Y", &S::move_chunks, "with --chunks: move them east and south by this many, such as 3,-16"};
constexpr OptionSpec kLayers{
    '\0',   "layers",   K::text,
    "LIST", &S::layers, "tiles: terrain, liquid, wmo, doodad, wdl (default all but wdl, the far terrain)"};
constexpr OptionSpec kTerrain{
    '\0',
    "terrain",
    K::choice,
    "baked|splat|plain",
    &S::terrain,
    "ground texture: one baked image per tile, repeated textures with separate alpha maps, or none"};
constexpr OptionSpec kBakeSize{
    '\0',
    "bake-size",
    K::count,
    "PIXELS",
    &S::bake_size,
    "side of a tile's image in pixels (default 1024 in scenes, 256 in minimaps, in `render` by --size)",
    16,
    8192};
constexpr OptionSpec kGrid{'\0', "grid",   K::count,
                           "N",  &S::grid, "heights per side of a tile: 257 (default), 129 or 17"};
constexpr OptionSpec kHeightRange{
    '\0',    "height-range",   K::text,
    "LO,HI", &S::height_range, "heights in metres mapped to black and white (default: the range found)"};
constexpr OptionSpec kLights{'\0',   "lights",   K::file,
                             "FILE", &S::lights, "lights.lit with the light of the hour"};
constexpr OptionSpec kCamera{'\0', "camera", K::text, "X,Y,Z", &S::eye, "the same as --eye"};
constexpr OptionSpec kFarClip{'\0',    "far-clip",   K::positive,
                              "YARDS", &S::far_clip, "view distance in yards, 177 to 777 (default 777)"};
constexpr OptionSpec kWdl{'\0',   "wdl",   K::file,
                          "FILE", &S::wdl, "far terrain (default: next to the map, under its name)"};
constexpr OptionSpec kStorm{'\0',    "storm",   K::share,
                            "SHARE", &S::storm, "weather between clear (0) and storm (1)"};
constexpr OptionSpec kUnderWater{'\0', "under-water",   K::none,
                                 "",   &S::under_water, "use light and fog of a camera under water"};
constexpr OptionSpec kTextureDetail{
    '\0',    "texture-detail",   K::positive,
    "YARDS", &S::texture_detail, "distance at which upper ground layers fade out (default 177)"};

constexpr OptionSpec kDepth{'\0', "depth", K::count, "N", &S::depth, "levels of the tree to show"};
constexpr OptionSpec kPatch{'\0', "patch",   K::none,
                            "",   &S::patch, "write a JSON Patch (RFC 6902) for `set --patch`"};
constexpr OptionSpec kPatchFile{'\0',   "patch",        K::file,
                                "FILE", &S::patch_file, "JSON Patch (RFC 6902) to apply first; - is stdin"};
constexpr OptionSpec kPaths{'\0', "paths",   K::none,
                            "",   &S::paths, "list what can be set, with types and ranges"};
constexpr OptionSpec kLimit{'\0', "limit", K::count, "N", &S::limit, "differences to show (default 1000)"};

constexpr OptionSpec kPictureSize{
    's',     "size",           K::text,
    "N|WxH", &S::picture_size, "pixels: a square's side, or width and height (default 512)"};
constexpr OptionSpec kThumbSizes{
    's', "size",          K::text,
    "N", &S::thumb_sizes, "pixels of the longer side, default 256 (repeatable; several get a folder each)"};
constexpr OptionSpec kShownClip{
    '\0',     "clip",   K::text,
    "NAME|N", &S::clip, "clip to show (default: Stand, else the first that loops); none is the rest pose"};
constexpr OptionSpec kMoment{'\0',
                             "time",
                             K::text,
                             "SECONDS|N%",
                             &S::moment,
                             "time in the clip (default: its start, or the middle of one that does not loop; "
                             "another if nothing is visible)"};
constexpr OptionSpec kViewpoint{'\0',
                                "camera",
                                K::text,
                                "auto|portrait|SIDE|NAME|AZ,EL[,DIST]",
                                &S::viewpoint,
                                "camera: framed, a side (front, left, back, right, top), a camera of the "
                                "model, or yaw, pitch and distance factor"};
constexpr OptionSpec kEye{
    '\0',
    "eye",
    K::text,
    "X,Y,Z",
    &S::eye,
    "maps: position of the camera in yards north, west and up from the middle; X,Y,+Z is above the ground"};
constexpr OptionSpec kLook{
    '\0',     "look",
    K::text,  "HEADING[,PITCH]",
    &S::look, "with --eye, degrees from north towards west, and above the horizon (default 0,0)"};
constexpr OptionSpec kHour{'\0',    "hour",   K::text,
                           "HH:MM", &S::time, "time of day for a map's light (default 12:00)"};
constexpr OptionSpec kFog{'\0',    "fog",
                          K::text, "START,END[,COLOR]|none",
                          &S::fog, "fog by distance (default: none for models, lights.lit for maps)"};
constexpr OptionSpec kBackground{'\0',           "background",
                                 K::text,        "COLOR|transparent",
                                 &S::background, "#RRGGBB, #RRGGBBAA or a name like black (default #3c4248)"};
constexpr OptionSpec kLight{'\0',      "light",
                            K::choice, "studio|overhead|scene|none",
                            &S::light, "light of the model; scene: only the lights in the file"};
constexpr OptionSpec kSamples{'\0', "samples",   K::count,
                              "N",  &S::samples, "samples per pixel: 1, 4, 8 or 16 (default 4)"};
constexpr OptionSpec kSeed{'\0', "seed", K::count, "N", &S::seed, "seed of particles (default 1)"};
constexpr OptionSpec kFrames{'\0',       "frames",
                             K::count,   "N",
                             &S::frames, "frames of a turntable (default 36) or a --path; limit for --play",
                             1,          3600};
constexpr OptionSpec kFps{'\0', "fps", K::count, "N", &S::fps, "frames per second (default 20)", 1, 100};
constexpr OptionSpec kWireframe{'\0', "wireframe", K::none, "", &S::wireframe, "draw the edges of triangles"};
constexpr OptionSpec kDrawBones{'\0', "bones", K::none, "", &S::bones, "draw bones and helpers"};
constexpr OptionSpec kDrawCollision{'\0', "collision", K::none, "", &S::collision, "draw collision shapes"};
constexpr OptionSpec kExtents{'\0', "extents",   K::none,
                              "",   &S::extents, "draw the bounding box and sphere stored in the model"};
constexpr OptionSpec kGridLines{'\0', "grid", K::none, "", &S::grid_lines, "draw a grid on the ground"};
constexpr OptionSpec kNoEmitters{'\0', "no-emitters",   K::none,
                                 "",   &S::no_emitters, "leave out particles and ribbons"};
constexpr OptionSpec kTurntable{'\0', "turntable",   K::none,
                                "",   &S::turntable, "animate the camera once around the model"};
constexpr OptionSpec kPlay{'\0', "play",   K::none,
                           "",   &S::play, "animate the whole clip; with --turntable both at once"};
constexpr OptionSpec kPath{'\0',     "path",
                           K::file,  "FILE",
                           &S::path, "animate the camera along the path in a JSON file (docs/user/look.md)"};
constexpr OptionSpec kSheet{
    '\0', "sheet",   K::none,
    "",   &S::sheet, "draw all clips of the model in one image, each of --size, with names"};
constexpr OptionSpec kPort{'\0', "port", K::count, "N", &S::port, "port on 127.0.0.1 (default: a free one)",
                           0,    65535};
constexpr OptionSpec kNoBrowser{'\0', "no-browser",   K::none,
                                "",   &S::no_browser, "print the address without opening a browser"};
constexpr OptionSpec kNoSheet{'\0', "no-sheet", K::none, "", &S::no_sheet, "do not write index.html"};

constexpr OptionSpec kTarget{
    '\0',       "target",
    K::choice,  "hive|game|strict",
    &S::target, "severities to apply: those of modders' checkers, the game, or the format"};
constexpr OptionSpec kKind{'\0',      "kind",
                           K::choice, "auto|unit|building|doodad|effect|missile|ui",
                           &S::kind,  "purpose of the models (default auto)"};
constexpr OptionSpec kIgnore{'\0',    "ignore",   K::text,
                             "CODES", &S::ignore, "hide these codes (comma-separated, repeatable)"};
constexpr OptionSpec kOnlyCodes{'\0',    "only",   K::text,
                                "CODES", &S::only, "report only these codes (comma-separated, repeatable)"};
constexpr OptionSpec kFailOn{
    '\0',        "fail-on",
    K::choice,   "error|severe|warning|unused|info",
    &S::fail_on, "exit with 1 on findings of this severity or above (default severe)"};
constexpr OptionSpec kReport{'\0',       "format",
                             K::choice,  "text|json|sarif|junit|markdown",
                             &S::report, "output format; markdown is for --list-rules"};
constexpr OptionSpec kFix{
    '\0',
    "fix",
    K::optional_choice,
    "safe|all",
    &S::fix,
    "fix what is safe, with --fix=all also add what is missing; writes to -o OUT, or with -f in place"};
constexpr OptionSpec kListRules{'\0', "list-rules", K::none, "", &S::list_rules, "list all rules"};
constexpr OptionSpec kExplain{'\0', "explain", K::text, "CODE", &S::explain, "explain a code"};
constexpr OptionSpec kManifest{
    '\0',   "manifest",   K::file,
    "FILE", &S::manifest, "file with lines of path and MD5, tab-separated: report a client's original files"};

constexpr OptionSpec kUnused{
    '\0',  "unused",   K::folder,
    "DIR", &S::unused, "list the files in DIR that no FILE needs; without FILE, that no model in DIR needs"};
constexpr OptionSpec kTrust{'\0',  "trust",   K::folder,
                            "DIR", &S::trust, "trust the thaw.toml in DIR, if it belongs to you"};
constexpr OptionSpec kUntrust{'\0',  "untrust",   K::folder,
                              "DIR", &S::untrust, "no longer trust the thaw.toml in DIR"};
constexpr OptionSpec kOutputBundle{
    'o', "output", K::file, "OUT", &S::output, "folder, .zip or .w3x; with -f, add to an existing map"};
constexpr OptionSpec kOutputArchive{'o',   "output",   K::file,
                                    "OUT", &S::output, "archive to write; with -f, replace an existing one"};
constexpr OptionSpec kChangedArchive{
    'o',   "output",   K::file,
    "OUT", &S::output, "write the changed archive to OUT; without it, -f changes ARCHIVE in place"};
constexpr OptionSpec kSingleUnit{'\0', "single-unit",   K::none,
                                 "",   &S::single_unit, "store files as single units; not for maps"};
constexpr OptionSpec kChecksums{'\0', "checksums",   K::none,
                                "",   &S::checksums, "store a checksum for each sector"};
constexpr OptionSpec kStore{'\0', "store", K::none, "", &S::store, "do not compress files"};
constexpr OptionSpec kArchiveVersion{'\0',
                                     "archive-version",
                                     K::count,
                                     "N",
                                     &S::archive_version,
                                     "MPQ version: 1, or 2 for more than 4 GiB (default: by size)",
                                     1,
                                     2};

constexpr std::array kInfoOptions = {
    &kRecursive, &kIntoArchives, &kInclude, &kExclude,          &kFilesFrom, &kShard,  &kNull,
    &kJobs,      &kFailFast,     &kSource,  &kNoDefaultSources, &kListfile,  &kStrict, &kMaxInput,
    &kMaxMemory, &kIsolate,      &kTiles,   &kTimeout,          &kJson,      &kQuiet,  &kVerbose,
    &kColor,     &kProgress,     &kVariant, &kCodePage,         &kHelp};
constexpr std::array kSurveyOptions = {
    &kRecursive, &kIntoArchives, &kInclude, &kExclude,  &kFilesFrom, &kShard,    &kMerge,    &kCsv,
    &kHash,      &kForce,        &kYes,     &kNull,     &kJobs,      &kFailFast, &kListfile, &kStrict,
    &kMaxInput,  &kMaxMemory,    &kIsolate, &kTiles,    &kTimeout,   &kJson,     &kQuiet,    &kVerbose,
    &kColor,     &kProgress,     &kVariant, &kCodePage, &kHelp};
constexpr std::array kConvertOptions = {&kOutput,
                                        &kTo,
                                        &kForce,
                                        &kYes,
                                        &kSkipExisting,
                                        &kDryRun,
                                        &kFlat,
                                        &kSource,
                                        &kNoDefaultSources,
                                        &kTeamColors,
                                        &kReplaceable,
                                        &kProfile,
                                        &kExtras,
                                        &kQuantize,
                                        &kInstances,
                                        &kCompress,
                                        &kAnimationFiles,
                                        &kTextureFormat,
                                        &kBakeGlobal,
                                        &kScale,
                                        &kLod,
                                        &kNewLevels,
                                        &kCollision,
                                        &kSwapInheritance,
                                        &kPortals,
                                        &kPngLevel,
                                        &kEncoding,
                                        &kQuality,
                                        &kTextureSize,
                                        &kNoMipmaps,
                                        &kEvery,
                                        &kFormatVersion,
                                        &kSd,
                                        &kHd,
                                        &kWeights,
                                        &kWithTextures,
                                        &kDisabled,
                                        &kTolerance,
                                        &kBare,
                                        &kTexturePath,
                                        &kOnto,
                                        &kFront,
                                        &kMaxError,
                                        &kPrecision,
                                        &kIndent,
                                        &kLineEnding,
                                        &kMdlDialect,
                                        &kPlain,
                                        &kClip,
                                        &kSkeleton,
                                        &kAnimation,
                                        &kRate,
                                        &kSceneBoneMap,
                                        &kRootMotion,
                                        &kBones,
                                        &kTiles,
                                        &kMoveTiles,
                                        &kChunks,
                                        &kMoveChunks,
                                        &kLayers,
                                        &kTerrain,
                                        &kBakeSize,
                                        &kGrid,
                                        &kHeightRange,
                                        &kLights,
                                        &kHour,
                                        &kMaterials,
                                        &kRecursive,
                                        &kIntoArchives,
                                        &kInclude,
                                        &kExclude,
                                        &kFilesFrom,
                                        &kShard,
                                        &kNull,
                                        &kJobs,
                                        &kFailFast,
                                        &kListfile,
                                        &kStrict,
                                        &kMaxInput,
                                        &kMaxMemory,
                                        &kIsolate,
                                        &kMaxPixels,
                                        &kMaxScene,
                                        &kMaxOutput,
                                        &kTimeout,
                                        &kJson,
                                        &kQuiet,
                                        &kVerbose,
                                        &kColor,
                                        &kProgress,
                                        &kDoodadSet,
                                        &kVariant,
                                        &kCodePage,
                                        &kHelp};
constexpr std::array kOptimizeOptions = {
    &kOutput,       &kMaxShare, &kOnly,      &kSkip,     &kExcept,    &kSmaller,   &kForce,   &kYes,
    &kSkipExisting, &kFlat,     &kRecursive, &kInclude,  &kExclude,   &kFilesFrom, &kShard,   &kNull,
    &kJobs,         &kFailFast, &kStrict,    &kMaxInput, &kMaxMemory, &kMaxOutput, &kTimeout, &kJson,
    &kQuiet,        &kVerbose,  &kColor,     &kProgress, &kCodePage,  &kHelp};
constexpr std::array kEditOptions = {
    &kOutput,        &kRemove,   &kRenameSequence, &kRepath,    &kCopyClips,    &kBoneMap,
    &kAddAttachment, &kAttach,   &kTeamColorLayer, &kScaleBy,   &kRotate,       &kMove,
    &kThenOptimize,  &kDryRun,   &kForce,          &kYes,       &kSkipExisting, &kFlat,
    &kRecursive,     &kInclude,  &kExclude,        &kFilesFrom, &kShard,        &kNull,
    &kJobs,          &kFailFast, &kStrict,         &kMaxInput,  &kMaxMemory,    &kMaxOutput,
    &kTimeout,       &kJson,     &kQuiet,          &kVerbose,   &kColor,        &kProgress,
    &kCodePage,      &kHelp};
constexpr std::array kPortraitOptions = {
    &kOutput,  &kDryRun,   &kForce,     &kYes,       &kSkipExisting, &kFlat, &kRecursive,
    &kInclude, &kExclude,  &kFilesFrom, &kShard,     &kNull,         &kJobs, &kFailFast,
    &kStrict,  &kMaxInput, &kMaxMemory, &kMaxOutput, &kTimeout,      &kJson, &kQuiet,
    &kVerbose, &kColor,    &kProgress,  &kCodePage,  &kHelp};
constexpr std::array kWorldOptions = {&kEye,    &kCamera,   &kFarClip,    &kHour,          &kLights,
                                      &kWdl,    &kStorm,    &kUnderWater, &kTextureDetail, &kListfile,
                                      &kStrict, &kMaxInput, &kMaxMemory,  &kTimeout,       &kJson,
                                      &kQuiet,  &kVerbose,  &kColor,      &kProgress,      &kHelp};
constexpr std::array kRenderOptions = {&kOutput,
                                       &kPictureSize,
                                       &kShownClip,
                                       &kMoment,
                                       &kViewpoint,
                                       &kBackground,
                                       &kTeamColor,
                                       &kLight,
                                       &kSamples,
                                       &kWireframe,
                                       &kDrawBones,
                                       &kSkeleton,
                                       &kLod,
                                       &kDrawCollision,
                                       &kExtents,
                                       &kGridLines,
                                       &kNoEmitters,
                                       &kTurntable,
                                       &kPlay,
                                       &kPath,
                                       &kSheet,
                                       &kShownTextureSize,
                                       &kFrames,
                                       &kFps,
                                       &kSeed,
                                       &kFog,
                                       &kEye,
                                       &kLook,
                                       &kFarClip,
                                       &kHour,
                                       &kLights,
                                       &kWdl,
                                       &kStorm,
                                       &kUnderWater,
                                       &kTextureDetail,
                                       &kTiles,
                                       &kLayers,
                                       &kBakeSize,
                                       &kForce,
                                       &kYes,
                                       &kDryRun,
                                       &kSource,
                                       &kNoDefaultSources,
                                       &kListfile,
                                       &kScale,
                                       &kPngLevel,
                                       &kThreads,
                                       &kStrict,
                                       &kMaxInput,
                                       &kMaxMemory,
                                       &kIsolate,
                                       &kMaxPixels,
                                       &kMaxScene,
                                       &kMaxOutput,
                                       &kTimeout,
                                       &kJson,
                                       &kQuiet,
                                       &kVerbose,
                                       &kColor,
                                       &kProgress,
                                       &kVariant,
                                       &kCodePage,
                                       &kHelp};
constexpr std::array kViewOptions = {&kPort,    &kNoBrowser, &kSource,   &kListfile,
                                     &kVariant, &kQuiet,     &kCodePage, &kHelp};
constexpr std::array kThumbOptions = {&kOutput,
                                      &kThumbSizes,
                                      &kShownClip,
                                      &kMoment,
                                      &kViewpoint,
                                      &kBackground,
                                      &kTeamColor,
                                      &kLight,
                                      &kSamples,
                                      &kNoEmitters,
                                      &kSeed,
                                      &kNoSheet,
                                      &kDryRun,
                                      &kModelTimeout,
                                      &kForce,
                                      &kYes,
                                      &kSkipExisting,
                                      &kSource,
                                      &kNoDefaultSources,
                                      &kListfile,
                                      &kSkeleton,
                                      &kLod,
                                      &kPngLevel,
                                      &kRecursive,
                                      &kIntoArchives,
                                      &kInclude,
                                      &kExclude,
                                      &kFilesFrom,
                                      &kShard,
                                      &kNull,
                                      &kJobs,
                                      &kFailFast,
                                      &kStrict,
                                      &kMaxInput,
                                      &kMaxMemory,
                                      &kIsolate,
                                      &kMaxPixels,
                                      &kMaxScene,
                                      &kMaxOutput,
                                      &kJson,
                                      &kQuiet,
                                      &kVerbose,
                                      &kColor,
                                      &kProgress,
                                      &kVariant,
                                      &kCodePage,
                                      &kHelp};
constexpr OptionSpec kDecoded{
    '\0', "decoded",   K::none,
    "",   &S::decoded, "animations (NSA, MRN): write the samples of each channel as numbers instead"};
constexpr std::array kDumpOptions = {
    &kDecoded,  &kRecursive, &kIntoArchives, &kInclude,   &kExclude,  &kFilesFrom, &kNull,    &kJobs,
    &kFailFast, &kStrict,    &kMaxInput,     &kMaxMemory, &kIsolate,  &kTiles,     &kTimeout, &kJson,
    &kQuiet,    &kVerbose,   &kColor,        &kProgress,  &kCodePage, &kHelp};
constexpr std::array kBuildOptions = {
    &kOutput,  &kForce, &kYes,   &kSkipExisting, &kDryRun, &kMaxInput, &kMaxMemory, &kMaxOutput,
    &kTimeout, &kJson,  &kQuiet, &kVerbose,      &kColor,  &kProgress, &kCodePage,  &kHelp};
constexpr std::array kSetOptions = {
    &kPatchFile, &kPaths,     &kOutput,  &kForce, &kYes,   &kSkipExisting, &kDryRun, &kStrict,   &kMaxInput,
    &kMaxMemory, &kMaxOutput, &kTimeout, &kJson,  &kQuiet, &kVerbose,      &kColor,  &kProgress, &kHelp};
constexpr std::array kMergeOptions = {
    &kOutput,    &kForce,   &kYes,  &kSkipExisting, &kDryRun,  &kStrict, &kMaxInput, &kMaxMemory,
    &kMaxOutput, &kTimeout, &kJson, &kQuiet,        &kVerbose, &kColor,  &kProgress, &kHelp};
constexpr std::array kTreeOptions = {&kDepth, &kStrict,   &kMaxInput, &kMaxMemory, &kIsolate,
                                     &kTiles, &kTimeout,  &kJson,     &kQuiet,     &kVerbose,
                                     &kColor, &kProgress, &kCodePage, &kHelp};
constexpr std::array kDiffOptions = {&kPatch,   &kLimit, &kStrict,   &kMaxInput, &kMaxMemory,
                                     &kIsolate, &kTiles, &kTimeout,  &kJson,     &kQuiet,
                                     &kVerbose, &kColor, &kProgress, &kCodePage, &kHelp};
constexpr std::array kLsOptions = {&kListfile, &kStrict,  &kMaxInput, &kMaxMemory, &kIsolate,
                                   &kTimeout,  &kJson,    &kQuiet,    &kVerbose,   &kColor,
                                   &kProgress, &kVariant, &kCodePage, &kHelp};
constexpr std::array kExtractOptions = {
    &kOutputFolder, &kListfile, &kForce,     &kYes,     &kSkipExisting, &kDryRun,  &kJobs, &kFailFast,
    &kStrict,       &kMaxInput, &kMaxMemory, &kIsolate, &kMaxOutput,    &kTimeout, &kJson, &kQuiet,
    &kVerbose,      &kColor,    &kProgress,  &kVariant, &kCodePage,     &kHelp};
constexpr std::array kDepsOptions = {&kUnused,   &kSource,    &kNoDefaultSources,
                                     &kListfile, &kRecursive, &kInclude,
                                     &kExclude,  &kFilesFrom, &kShard,
                                     &kNull,     &kJobs,      &kFailFast,
                                     &kStrict,   &kMaxInput,  &kMaxMemory,
                                     &kTimeout,  &kJson,      &kQuiet,
                                     &kVerbose,  &kColor,     &kProgress,
                                     &kVariant,  &kCodePage,  &kHelp};
constexpr std::array kBundleOptions = {&kOutputBundle,     &kForce,    &kYes,      &kDryRun,   &kSource,
                                       &kNoDefaultSources, &kListfile, &kStrict,   &kMaxInput, &kMaxMemory,
                                       &kTimeout,          &kJson,     &kQuiet,    &kVerbose,  &kColor,
                                       &kVariant,          &kProgress, &kCodePage, &kHelp};
constexpr std::array kConfigOptions = {&kTrust, &kUntrust, &kJson, &kHelp};
constexpr std::array kDoctorOptions = {&kSource, &kListfile, &kVariant, &kJson, &kVerbose, &kColor, &kHelp};
constexpr std::array kTerrainOptions = {&kOutput,   &kForce,     &kYes,       &kDryRun,   &kSource,
                                        &kMaxInput, &kMaxMemory, &kMaxPixels, &kTimeout,  &kJson,
                                        &kQuiet,    &kVerbose,   &kColor,     &kProgress, &kHelp};
constexpr std::array kPackOptions = {
    &kOutputArchive, &kForce,          &kYes,      &kDryRun,    &kStore,    &kSingleUnit,
    &kChecksums,     &kArchiveVersion, &kMaxInput, &kMaxMemory, &kTimeout,  &kJson,
    &kQuiet,         &kVerbose,        &kColor,    &kProgress,  &kCodePage, &kHelp};
constexpr std::array kAddOptions = {&kChangedArchive, &kFolders,    &kForce,     &kYes,      &kDryRun,
                                    &kStore,          &kSingleUnit, &kChecksums, &kListfile, &kMaxInput,
                                    &kMaxMemory,      &kTimeout,    &kJson,      &kQuiet,    &kVerbose,
                                    &kColor,          &kProgress,   &kCodePage,  &kHelp};
constexpr std::array kRemoveOptions = {&kChangedArchive, &kForce,     &kYes,      &kDryRun,   &kListfile,
                                       &kMaxInput,       &kMaxMemory, &kTimeout,  &kJson,     &kQuiet,
                                       &kVerbose,        &kColor,     &kProgress, &kCodePage, &kHelp};
constexpr std::array kValidateOptions = {
    &kTarget,           &kKind,      &kIgnore,       &kOnlyCodes, &kFailOn,
    &kReport,           &kFix,       &kOutput,       &kForce,     &kYes,
    &kDryRun,           &kManifest,  &kListRules,    &kExplain,   &kSource,
    &kNoDefaultSources, &kRecursive, &kIntoArchives, &kInclude,   &kExclude,
    &kFilesFrom,        &kShard,     &kNull,         &kJobs,      &kFailFast,
    &kStrict,           &kMaxInput,  &kMaxMemory,    &kIsolate,   &kTiles,
    &kTimeout,          &kJson,      &kQuiet,        &kVerbose,   &kColor,
    &kProgress,         &kVariant,   &kCodePage,     &kHelp};
constexpr std::array kFormatsOptions = {&kJson, &kHelp};
constexpr std::array kPlainOptions = {&kHelp};

// --- commands
// ---------------------------------------------------------------------------------------------------

constexpr std::size_t kAny = ~std::size_t{0};

constexpr std::array kCommands = {
    CommandSpec{"info", "FILE…", "show what a file is: version, counts, clips, textures, problems",
                "Reports each model's dialect and version, its contents, its clips with their lengths, its "
                "textures and\n"
                "where they were found, and its problems; for a texture its size and pixel format.",
                "thaw info footman.mdx\twhat is in this model?\n"
                "thaw info -r --json Units\tone JSON object per file, then a summary\n",
                Positional::files, 1, kAny, kInfoOptions, run_info},
    CommandSpec{"dump", "FILE…", "write the whole document as JSON",
                "Writes every field of the file by its name, in file order. With --json, the document is "
                "part of an object that also\n"
                "has the findings. Several files, or -r, give one object per line.",
                "thaw dump footman.mdx > footman.json\teverything as JSON\n"
                "thaw dump -r Units | jq -r '.file'\ta line of JSON for each file\n",
                Positional::files, 1, kAny, kDumpOptions, run_dump},
    CommandSpec{"build", "JSON", "build a file from the JSON of `dump`",
                "Reverses `dump` byte for byte, with the changes made in the JSON, for each format that is "
                "read. Sizes and counts are\n"
                "computed. Errors state line, column and the field's path, and nothing is written.",
                "thaw dump footman.mdx | thaw build - -o copy.mdx\tthe same file\n"
                "thaw build footman.json -o footman.mdx\tafter editing\n",
                Positional::files, 1, 1, kBuildOptions, run_build},
    CommandSpec{
        "set", "FILE [EDIT…]", "change fields of a file by path",
        "An EDIT is PATH=VALUE, PATH|=NUMBER (&, ^, +, - and * alike), `add PATH VALUE`, `remove PATH`, "
        "`copy FROM TO`,\n"
        "`move FROM TO`, or `like OTHER`, which allows lists that are empty here to get items like those of "
        "OTHER. Paths are\n"
        "those of `tree`, `diff` and findings. Items are named by number, tag or name; [*] is all of them, "
        "[+] the position\n"
        "after the last. Sizes, counts and offsets are updated. Either all edits are applied or none.",
        "thaw set footman.mdx 'SEQS[Stand].name=Stand - 2' -o new.mdx\tanother name\n"
        "thaw set footman.mdx 'MTLS[*].layers[0].shadingFlags|=1' -o new.mdx\tunshaded\n"
        "thaw set --paths footman.mdx\twhat can be set\n"
        "thaw set old.mdx --patch changes.json -o new.mdx\tthe output of `diff --patch`\n",
        Positional::file_and_words, 1, kAny, kSetOptions, run_set},
    CommandSpec{"merge", "BASE OURS THEIRS", "merge two edited versions of a file",
                "Merges field by field. A field that both sides changed differently keeps OURS and is "
                "reported by its path; the exit\n"
                "code is then 1. docs/user/git.md explains the use as a merge driver of Git.",
                "thaw merge base.mdx ours.mdx theirs.mdx -o merged.mdx\tthree files to one\n",
                Positional::files, 3, 3, kMergeOptions, run_merge},
    CommandSpec{"tree", "FILE", "list chunks and arrays with their offsets and sizes",
                "One line per object: offset, size in bytes, name. Bytes that are not understood are marked.",
                "thaw tree --depth 1 footman.mdx\tthe chunks\n", Positional::files, 1, 1, kTreeOptions,
                run_tree},
    CommandSpec{"convert", "IN…", "convert models, maps, textures and animations, to glTF and back",
                "Models become .glb (or .gltf with its files, .mdx or .mdl), textures .png, .blp, .dds, "
                ".tga, .jpg or .webp, glTF\n"
                ".mdx, .mdl or .m3, and its animations .mrf, .nsa or .mrn. Without -o, outputs go to the "
                "current directory under the\n"
                "input's name. With -r, the folders below each input are recreated. One bad file does not "
                "stop the rest. Textures are\n"
                "searched in the model's folder, its parents and every --source. With --format-version, a "
                "Warcraft III model is\n"
                "converted to that version, and losses are reported.",
                "thaw convert footman.mdx\twrites ./footman.glb\n"
                "thaw convert footman.mdx unit.glb\tas with -o unit.glb\n"
                "thaw convert footman.mdx -o - | viewer\tGLB on stdout\n"
                "thaw convert footman.mdx -o footman.mdl\tas text, and back with -o footman.mdx\n"
                "thaw convert -r Units -o out --source Game\ta whole tree\n"
                "thaw convert icon.png -o icon.blp --max-size 64\ta texture for the game\n"
                "thaw convert footman.mdx -o old.mdx --format-version 800\tfor the classic game\n"
                "thaw convert Azeroth.wdt --to adt-lk -o out/\ta WoW Alpha map for modern editors; back with "
                "--to "
                "wdt\n"
                "thaw convert X64.mrn --skeleton Male --clip 'Walk|Run'\tskeleton and two animations\n"
                "thaw convert hero.glb -o hero.mdx --texture-path war3mapImported/\ta model for the game\n"
                "thaw convert edited.glb --onto footman.mdx -o new.mdx\tunedited parts keep their bytes\n"
                "thaw convert walk.glb -o Walk.nsa --skeleton X64.mrn:Male\tan animation for the game\n",
                Positional::files, 1, kAny, kConvertOptions, run_convert,
                "output to recursive force dry-run source profile scale team-color clip onto format-version "
                "with-textures "
                "max-size tiles"},
    CommandSpec{"terrain", "JSON", "build a WoW Alpha map from heightmaps and images",
                "The JSON names the tiles, heights (PNG of 8 or 16 bits, RAW of 16), up to four textures "
                "with their masks, shadow,\n"
                "holes, liquids, areas, and the objects on the ground (docs/user/worlds.md#a-new-map). Far "
                "terrain is written next to\n"
                "the map.",
                "thaw terrain island.json -o World/Maps/Island/Island.wdt\tIsland.wdt and Island.wdl\n",
                Positional::files, 1, 1, kTerrainOptions, run_terrain},
    CommandSpec{
        "world", "MAP.wdt", "list what a map shows from a position: tiles, chunks, placements, fog",
        "Reads only the tiles within the far clip, which may be 177 to 777 yards as in the client. Light and "
        "fog come\n"
        "from lights.lit next to the map or --lights, far terrain from the WDL next to it or --wdl.",
        "thaw world Azeroth.wdt --eye -8900,-120,90\tas text\n"
        "thaw world Azeroth.wdt --eye -8900,-120,90 --far-clip 350 --hour 06:30 --json\tfor programs\n",
        Positional::files, 1, 1, kWorldOptions, run_world},
    CommandSpec{
        "optimize", "IN…", "make models smaller without changing how they look",
        "Drops tracks and keys that show nothing, unused and equal materials, textures and texture "
        "animations, unused global\n"
        "sequences, and vertices that are equal bit by bit. Both models are evaluated and compared; nothing "
        "moves further than\n"
        "--max-error. Outputs are placed as by `convert`.",
        "thaw optimize footman.mdx -o small.mdx\twrites small.mdx and reports the savings of each step\n"
        "thaw optimize -r Units -o out --skip vertices\ta whole tree\n",
        Positional::files, 1, kAny, kOptimizeOptions, run_optimize},
    CommandSpec{"edit", "IN…", "edit models: names, paths, size, position, parts",
                "Applies the options in their order in this help and leaves everything else unchanged. "
                "`--scale`, `--rotate` and\n"
                "`--move` apply to everything with a position or length: vertices, nodes, animations, "
                "bounds, emitters, cameras and\n"
                "the walking speed. An option that matches nothing in a file is reported, and the file is "
                "still written. Outputs keep\n"
                "their format and are placed as by `convert`.",
                "thaw edit footman.mdx --scale 1.5 -o large.mdx\twith animations and cameras\n"
                "thaw edit footman.mdx --rename-sequence 'Attack - *=Spell - *' -o new.mdx\n"
                "thaw edit -r Units --repath 'Textures\\*=war3mapImported\\*' -o out\ta whole tree\n"
                "thaw edit footman.mdx --remove emitter --remove 'sequence:Decay*' -o plain.mdx\n"
                "thaw edit footman.mdx --add-attachment 'Origin Ref' -o new.mdx\n",
                Positional::files, 1, kAny, kEditOptions, run_edit},
    CommandSpec{"portrait", "IN…", "make portrait models of units",
                "Writes a copy of the model as NAME_portrait, where the game looks for it: with its Portrait "
                "sequences, or Stand under\n"
                "that name, and with a camera in front of the head if the model has none.",
                "thaw portrait footman.mdx\twrites footman_portrait.mdx\n"
                "thaw portrait -r Units -o out\ta whole tree\n",
                Positional::files, 1, kAny, kPortraitOptions, run_portrait},
    CommandSpec{"render", "FILE…", "draw models or a map as an image or animation",
                "Draws the model as the game shows it, with filter modes, team colour, billboards, particles "
                "and ribbons, without a\n"
                "graphics card. OUT ends in .png, .jpg, .webp or .tga; with --turntable, --play or --path "
                "also in .gif, in .webm (by\n"
                "ffmpeg), in .png for an animated PNG (APNG), or in / for a folder of numbered files. The "
                "same command gives the same\n"
                "pixels on every machine.\n"
                "A map (WDT) is drawn from above, north up, or with --eye as the client shows it from that "
                "position: far clip, far\n"
                "terrain (WDL), sky, light and fog of the hour. With --camera, its first tile or --tiles are "
                "drawn as a model. Several\n"
                "models are drawn side by side, each in its usual clip.",
                "thaw render footman.mdx\twrites ./footman.png\n"
                "thaw render footman.mdx --clip Walk --play -o walk.gif\tthe whole clip\n"
                "thaw render footman.mdx --turntable -o turn.png\tonce around, as APNG\n"
                "thaw render footman.mdx knight.mdx -o both.png\tside by side\n"
                "thaw render footman.mdx --sheet -s 200 -o clips.png\tall clips, with their names\n"
                "thaw render Azeroth.wdt --path walk.json -o walk.webm\ta film along a path\n"
                "thaw render footman.mdx --camera portrait --background transparent -o face.png\n"
                "thaw render footman.mdx --camera 90,10,1.5 --team-color blue --bones\tfrom its left\n"
                "thaw render Azeroth.wdt -s 2048 -o azeroth.png\tthe whole map from above\n"
                "thaw render Azeroth.wdt --eye=-9000,100,90 --look 45,-10 --hour 18:30 -o evening.png\n",
                Positional::files, 1, 64, kRenderOptions, run_render},
    CommandSpec{"thumb", "PATH…", "draw thumbnails of many models, with a page that shows them",
                "Writes one PNG per model below DIR, placed as by `convert`, with the metadata that file "
                "managers look for, and\n"
                "index.html, which shows all images with facts about each model. With --skip-existing, an "
                "interrupted run is resumed.\n"
                "A file that cannot be drawn gets no image and does not stop the rest.",
                "thaw thumb -r Units -o thumbs\ta folder and everything below it\n"
                "thaw thumb footman.mdx -s 128 -o footman.png\tone picture\n"
                "thaw thumb -r Units -o thumbs -s 128 -s 512 -j 8 --skip-existing\n",
                Positional::files, 1, kAny, kThumbOptions, run_thumb},
    CommandSpec{"view", "FILE|DIR", "show models in the browser",
                "Serves the page on 127.0.0.1, prints its address on stdout and opens the browser. The page "
                "can read the files in DIR\n"
                "or in FILE's folder and below, and those of --source; of an installed game and of "
                "ARCHIVE//FILE, the files inside.\n"
                "Requests without the token in the address are refused. Ctrl-C stops it. docs/user/page.md "
                "describes the page.",
                "thaw view footman.mdx\tthis model, with the others in its folder to choose from\n"
                "thaw view 'C:/Games/Warcraft III' --variant hd\tall models of a game\n"
                "thaw view Units --source war3.mpq\ta folder, with textures from an archive\n"
                "thaw view --no-browser --port 8080 .\tprints the address\n",
                Positional::files, 1, 1, kViewOptions, run_view},
    CommandSpec{"survey", "PATH…", "check that every file reads and writes back byte for byte",
                "Reads each file, writes it again and compares: EXACT, DIFFERS with the first differing "
                "offset, or FAILED; for text\n"
                "(MDL) SAME if the written file reads as the same model, bit by bit. Then follow the share "
                "of bytes that are\n"
                "understood, sums, and findings by code.",
                "thaw survey -r Units\ta table and sums\n"
                "thaw survey -r Units --csv units.csv\ta table for a spreadsheet\n"
                "thaw survey -r --json Units > survey.ndjson\tone JSON object per file, then a summary\n"
                "thaw survey -r --json Units --shard 2/8 > part2.ndjson\tan eighth of it\n"
                "thaw survey --merge part*.ndjson\twhat one survey would report\n",
                Positional::files, 1, kAny, kSurveyOptions, run_survey},
    CommandSpec{"diff", "A B", "compare two files field by field",
                "The exit code is 0 if both files have the same content, 1 if not.",
                "thaw diff old.mdx new.mdx\tfield by field\n"
                "thaw diff old.mdx new.mdx --patch > changes.json\tfor `thaw set --patch`\n",
                Positional::files, 2, 2, kDiffOptions, run_diff},
    CommandSpec{"ls", "ARCHIVE [PATTERN…]",
                "list the files of an archive: MPQ, Warcraft III map, Forgelight pack",
                "One line per file: size, packed size, compression, flags, format, name. Flags: e encrypted, "
                "k with adjusted key,\n"
                "i imploded, s single unit, c with checksums of its sectors, p patch. Files without a known "
                "name are listed by their\n"
                "hash. ARCHIVE may be inside another: campaign.w3n//map.w3x.",
                "thaw ls map.w3x\tall files\n"
                "thaw ls war3.mpq 'Units/**/*.mdx'\tthe models of units\n",
                Positional::files, 1, kAny, kLsOptions, run_ls},
    CommandSpec{"extract", "ARCHIVE [PATTERN…]",
                "extract files from an archive: MPQ, Warcraft III map, Forgelight pack",
                "Writes the files that match a pattern (default: all) below DIR; unsafe names are changed. "
                "Files without a known name\n"
                "are written under their hash with an extension that fits their content.",
                "thaw extract map.w3x -o map\tall files\n"
                "thaw extract map.w3x '*.blp' -o .\tall textures\n"
                "thaw extract old.mpq --listfile names.txt -o old\twith names from a list\n",
                Positional::files, 1, kAny, kExtractOptions, run_extract},
    CommandSpec{"deps", "FILE…", "list the files that models need, found or missing",
                "Lists textures, attached and spawned models, portraits and morphs, and by the game's tables "
                "(SLK) the sounds, splats\n"
                "and models of events, where a source has them; also what those models need. Files are "
                "searched as by `convert`. The\n"
                "exit code is 1 if a file is missing.",
                "thaw deps footman.mdx\twhat does it need?\n"
                "thaw deps -r Units --source war3.mpq --json\tone JSON object per model\n"
                "thaw deps --unused map\tfiles in a folder that no model there needs\n",
                Positional::files, 0, kAny, kDepsOptions, run_deps},
    CommandSpec{"bundle", "FILE", "collect a Warcraft III model and all its files in a folder, ZIP or map",
                "Collects everything that `deps` finds next to the model, and changes the paths in it and in "
                "the models that it uses.\n"
                "In a map, files are placed below war3mapImported and listed in war3map.imp. Files that the "
                "game's tables name keep\n"
                "their paths.",
                "thaw bundle footman.mdx -o footman/ --source war3.mpq\n"
                "thaw bundle footman.mdx -o footman.zip\tone file to share\n"
                "thaw bundle footman.mdx -o map.w3x -f\tinto an existing map\n",
                Positional::files, 1, 1, kBundleOptions, run_bundle},
    CommandSpec{"pack", "DIR|FILE", "pack a folder into an archive: MPQ, Warcraft III map, Forgelight pack",
                "The extension of OUT selects the format: .mpq; .w3x and .w3m, with a map header from "
                "war3map.w3i and with war3map.imp,\n"
                "the list of imported files; or .pack. Files are named by their paths below DIR. A FILE "
                "becomes an archive of one\n"
                "file, as in WoW Alpha; OUT must then be its name with .MPQ appended.",
                "thaw pack map -o map.w3x\ta map from an extracted folder\n"
                "thaw pack textures -o textures.mpq --checksums\n"
                "thaw pack assets -o Assets_000.pack\tfor Forgelight\n"
                "thaw pack castle.wmo -o castle.wmo.MPQ\tan archive of one file\n",
                Positional::files, 1, 1, kPackOptions, run_pack},
    CommandSpec{"add", "ARCHIVE FILE[=NAME]…", "add files to an archive or map",
                "Adds each FILE under NAME, or else under its path; of a folder, all files below NAME. A "
                "file of the same name is\n"
                "replaced. Lists of names, checksums and imports (war3map.imp) are updated; all other bytes "
                "are unchanged. Protected or\n"
                "damaged archives are refused.",
                "thaw add map.w3x unit.mdx='war3mapImported\\unit.mdx' -o new.w3x\n"
                "thaw add map.w3x unit.mdx='units\\unit.mdx' Textures=Textures -f\tin place\n",
                Positional::files, 2, kAny, kAddOptions, run_add},
    CommandSpec{
        "remove", "ARCHIVE PATTERN…", "remove files from an archive or map",
        "Removes the files that match, by name or by hash, and their entries in the lists of the archive.",
        "thaw remove map.w3x 'war3mapImported\\unit.mdx' -o new.w3x\n"
        "thaw remove old.mpq '*.wav' -f\tin place\n",
        Positional::files, 2, kAny, kRemoveOptions, run_remove},
    CommandSpec{"validate", "PATH…", "check models, textures and maps, and fix what is safe",
                "Checks each file, and each in a folder, against the rules of its format (`thaw help rules`) "
                "and reports findings with\n"
                "code, offset and field path; repeated ones once with their count (-v shows each). "
                "Severities depend on --target, some\n"
                "rules on --kind. The exit code is 1 if there is a finding at or above --fail-on. --fix "
                "fixes what can be fixed without\n"
                "changing what the model shows, and leaves the rest of the file unchanged; MDL text is "
                "rewritten without its comments.\n"
                "A file that needs no fix is not written, or is copied to OUT.",
                "thaw validate footman.mdx\tone line per code\n"
                "thaw help rules mdx.track-opening\twhat does this mean?\n"
                "thaw validate --fix -o fixed.mdx footman.mdx\tfix what is safe\n"
                "thaw validate -r --format sarif Units > units.sarif\tfor code scanning\n",
                Positional::files, 0, kAny, kValidateOptions, run_validate},
    CommandSpec{"config", "[DIR]", "show the settings in effect and where each comes from",
                "Options come first, then THAW_SOURCES, THAW_LISTFILES, THAW_TEAM_COLOR and THAW_JOBS, then "
                "thaw.toml next to the\n"
                "first input or in the nearest folder above (here: of DIR), then thaw/thaw.toml in the "
                "user's configuration folder.\n"
                "Its keys are sources, listfiles, team-color, encoding-of-names and jobs. THAW_CONFIG names "
                "the only file to read; if\n"
                "it is empty, none is read. A thaw.toml outside the configuration folder is read only if it "
                "belongs to you and --trust\n"
                "has allowed its folder; its paths must be inside that folder.",
                "thaw config\tevery setting and its origin\n"
                "thaw config --trust Units\tallow Units/thaw.toml\n"
                "thaw config Units --json\tfor files in that folder\n",
                Positional::files, 0, 1, kConfigOptions, run_config},
    CommandSpec{"doctor", "[DIR…]", "report which games, sources and listfiles are usable, or why not",
                "Checks each DIR, or without any the usual locations of games, then every source and "
                "listfile of thaw.toml, the\n"
                "environment and the options. For installations, lists each product with its language, "
                "layers and files, and how many\n"
                "of them are not installed. The exit code is 1 if a named file or folder is unusable.",
                "thaw doctor\twhat would be used here?\n"
                "thaw doctor 'C:/Games/Warcraft III'\twhy is this game not found?\n"
                "thaw doctor --source war3.mpq --json\tfor programs\n",
                Positional::files, 0, kAny, kDoctorOptions, run_doctor},
    CommandSpec{"formats", "", "list the formats that are read, converted or recognised", "", "",
                Positional::none, 0, 0, kFormatsOptions, run_formats},
    CommandSpec{"completion", "SHELL", "print a completion script for bash, zsh, fish or powershell", "",
                "source <(thaw completion bash)\tfor this shell\n"
                "thaw completion fish > ~/.config/fish/completions/thaw.fish\tpermanently\n"
                "thaw completion powershell >> $PROFILE\tpermanently, on Windows\n",
                Positional::shell, 1, 1, kPlainOptions, run_completion},
    CommandSpec{"register", "", "show thumbnails of models in the file manager, for this user",
                "On Windows: Explorer shows the image that `thumb` draws of a model, each drawn by a "
                "separate process within 2 GiB and\n"
                "20 seconds; thaw-thumbs.dll must be next to thaw.exe, and neither may be moved. File types "
                "of other programs are left\n"
                "unchanged. On desktops of freedesktop.org: installs the thumbnailer and the file types of "
                "the package, which apply to\n"
                "all users, for this user.",
                "thaw register\tshow thumbnails\nthaw unregister\tremove them again\n", Positional::none, 0,
                0, kPlainOptions, run_register},
    CommandSpec{"unregister", "", "remove the thumbnails from the file manager",
                "Removes what `register` added, and nothing else.", "", Positional::none, 0, 0, kPlainOptions,
                run_unregister},
    CommandSpec{"help", "[TOPIC]",
                "show help on a command, a code, exit-codes, rules, pages [NAME], format [NAME] or a word",
                "", "", Positional::topic, 0, 2, kFormatsOptions, run_help},
};

constexpr std::array kAliases = {
    CommandAlias{"check", "survey"}, CommandAlias{"inspect", "info"},  CommandAlias{"identify", "info"},
    CommandAlias{"list", "ls"},      CommandAlias{"x", "extract"},     CommandAlias{"unpack", "extract"},
    CommandAlias{"compare", "diff"}, CommandAlias{"lint", "validate"},
};

}  // namespace

std::span<const CommandSpec> commands() { return kCommands; }
std::span<const CommandAlias> command_aliases() { return kAliases; }

const CommandSpec* find_command(std::string_view name) {
  for (const auto& [alias, command] : kAliases) {
    name = name == alias ? command : name;
  }
  for (const auto& command : kCommands) {
    if (command.name == name) {
      return &command;
    }
  }
  return nullptr;
}

}  // namespace thaw::cli
