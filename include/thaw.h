/* thaw for programs in C and in every language that calls C: the functions of the C++ headers behind opaque
 * handles. docs/library/README.md has a program of one page.
 *
 * Handles  A function with `new`, `open` or a noun of what it makes returns a handle that its caller frees
 *          with the handle's own function. Free functions take NULL.
 * Views    Pointers to what a handle holds are borrowed: they are good until the handle is freed, and nobody
 *          writes through them.
 * Errors   A function that can fail returns NULL or 0 and, unless `error` is NULL, puts an error there that
 *          its caller frees. Nothing is thrown and nothing is printed.
 * Structs  Structs begin with their size. A caller sets `size` of what it fills to sizeof and all else to 0
 *          first; a member that is 0 means what is usual. Structs that the library fills may be longer than
 *          this header says: lists of them have a stride.
 * Text     UTF-8, ends with NUL. A name with a NUL inside ends there.
 * Threads  Different handles may be used by different threads at once. One handle may be used by several
 *          threads at once in functions that take it as `const`; documents, scenes and what is made of them
 *          never change. thaw_control_stop may be called at any time. */
#ifndef THAW_H
#define THAW_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) && !defined(_WIN32)
#define THAW_API __attribute__((visibility("default")))
#else
#define THAW_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. A library with the same number serves every program that was compiled with
 * that number: functions and members of structs are added, never changed. */
#define THAW_INTERFACE 1
#define THAW_NONE 0xFFFFFFFFu              /* in place of an index: none */
#define THAW_NO_OFFSET 0xFFFFFFFFFFFFFFFFu /* of a finding that has no single place */

typedef struct thaw_blob thaw_blob;
typedef struct thaw_control thaw_control;
typedef struct thaw_sources thaw_sources;
typedef struct thaw_archive thaw_archive;
typedef struct thaw_document thaw_document;
typedef struct thaw_reader thaw_reader;
typedef struct thaw_findings thaw_findings;
typedef struct thaw_fields thaw_fields;
typedef struct thaw_tree thaw_tree;
typedef struct thaw_editor thaw_editor;
typedef struct thaw_outputs thaw_outputs;
typedef struct thaw_scene thaw_scene;
typedef struct thaw_view thaw_view;
typedef struct thaw_frame thaw_frame;
typedef struct thaw_image thaw_image;

/* THAW_INTERFACE of the library that runs, and its version, "0.1.0". */
THAW_API uint32_t thaw_interface(void);
THAW_API const char* thaw_version(void);

/* --- findings and errors -----------------------------------------------------------------------------------
 */

enum {
  THAW_INFO = 0,    /* worth knowing */
  THAW_UNUSED = 1,  /* dead weight */
  THAW_WARNING = 2, /* tolerated, but not as it should be */
  THAW_SEVERE = 3,  /* likely looks or plays wrong */
  THAW_ERROR = 4    /* a part cannot be used */
};

/* A finding about one place of a file, or why a function has no result. */
typedef struct thaw_finding {
  size_t size;
  const char* code;    /* stable, "read.truncated" */
  const char* path;    /* of the field, "GEOS[2].VRTX"; empty: the whole file */
  const char* message; /* for people, not stable */
  uint64_t offset;     /* bytes from the start of the file, or THAW_NO_OFFSET */
  int32_t severity;    /* THAW_INFO to THAW_ERROR */
  int32_t fixable;     /* thaw_document_fix can do something about it */
  const char* summary; /* what the code means; `message` is the same where there is no more to say */
} thaw_finding;

typedef thaw_finding thaw_error;
THAW_API void thaw_error_free(thaw_error* error);

THAW_API size_t thaw_findings_count(const thaw_findings* findings);
/* Findings beyond a limit, which were counted and not kept. */
THAW_API size_t thaw_findings_suppressed(const thaw_findings* findings);
/* NULL behind the last. */
THAW_API const thaw_finding* thaw_findings_at(const thaw_findings* findings, size_t index);
THAW_API void thaw_findings_free(thaw_findings* findings);

/* --- bytes -------------------------------------------------------------------------------------------------
 */

/* Bytes, with a NUL behind them that `thaw_blob_size` does not count. */
THAW_API const uint8_t* thaw_blob_data(const thaw_blob* blob);
THAW_API size_t thaw_blob_size(const thaw_blob* blob);
THAW_API void thaw_blob_free(thaw_blob* blob);

/* Writes a file that is complete or not there. Errors: write.exists unless `overwrite`, write.failed. */
THAW_API int thaw_write_file(const char* path, const void* data, size_t size, int overwrite,
                             thaw_error** error);

/* --- progress and an end -----------------------------------------------------------------------------------
 */

/* Hears how far work is: `stage` is "tiles" or "pictures", `total` 0 where it is not known. Called on the
 * threads that work. Anything but 0 stops the work. */
typedef int (*thaw_progress)(void* user, const char* stage, uint64_t done, uint64_t total);

/* `progress` may be NULL. Has to outlive the calls that it is handed to; what was stopped stays so. */
THAW_API thaw_control* thaw_control_new(thaw_progress progress, void* user, thaw_error** error);
/* Ends the work with the error limit.stopped, soon. From any thread, a callback or a signal handler. */
THAW_API void thaw_control_stop(thaw_control* control);
THAW_API void thaw_control_free(thaw_control* control);

/* --- archives and sources ----------------------------------------------------------------------------------
 */

/* MPQ archives and maps, packs of Forgelight, networks of animations, and folders of installations (CASC). */
THAW_API thaw_archive* thaw_archive_open(const char* path, thaw_error** error);
/* The same of bytes, which are copied. */
THAW_API thaw_archive* thaw_archive_open_bytes(const void* data, size_t size, thaw_error** error);
THAW_API size_t thaw_archive_count(const thaw_archive* archive);
/* The name of an entry, `/` between folders, the hash where it is not known; NULL behind the last. */
THAW_API const char* thaw_archive_name(const thaw_archive* archive, size_t index);
THAW_API uint64_t thaw_archive_entry_size(const thaw_archive* archive, size_t index);
/* The file of a name, which need not be listed; case does not matter. */
THAW_API thaw_blob* thaw_archive_read(const thaw_archive* archive, const char* name, thaw_error** error);
/* The file of an archive that holds one, as World of Warcraft's alpha has them: `data` is that of
 * "x.wdt.mpq", `name` is "x.wdt". */
THAW_API thaw_blob* thaw_archive_read_single(const void* data, size_t size, const char* name,
                                             thaw_error** error);
THAW_API void thaw_archive_free(thaw_archive* archive);

/* Takes back bytes that the library was given. */
typedef void (*thaw_release)(void* user, const void* data, size_t size);

/* Takes a name, which is copied. */
typedef void (*thaw_take_name)(void* context, const char* name);

/* A layer of files that the caller has. */
typedef struct thaw_source {
  size_t size;
  void* user;
  /* The file of a name in lower case with `/` between folders, or NULL if there is none, with its size in
   * `file_size`. Called by several threads at once if several calls share the sources. */
  const void* (*read)(void* user, const char* name, size_t* file_size);
  /* Called once for what `read` returned, when it has been copied; may be NULL. */
  void (*release)(void* user, const void* data, size_t file_size);
  /* Passes the full names of the files in a folder ("" is the topmost) to `take`; may be NULL. Skins of World
   * of Warcraft models are found that way. */
  void (*list)(void* user, const char* folder, thaw_take_name take, void* context);
} thaw_source;

/* Where the files are that documents name: layers, of which the last that has a name counts. */
THAW_API thaw_sources* thaw_sources_new(thaw_error** error);
/* Files of a kind that games have, found without regard to case; never hidden ones. */
THAW_API int thaw_sources_add_folder(thaw_sources* sources, const char* path, thaw_error** error);
/* Keeps what it needs of the archive. */
THAW_API int thaw_sources_add_archive(thaw_sources* sources, const thaw_archive* archive, thaw_error** error);
/* `user` has to outlive the sources. */
THAW_API int thaw_sources_add_callbacks(thaw_sources* sources, const thaw_source* source, thaw_error** error);
/* The file of a name. Errors: input.unreadable if no layer has it. */
THAW_API thaw_blob* thaw_sources_read(const thaw_sources* sources, const char* name, thaw_error** error);
THAW_API void thaw_sources_free(thaw_sources* sources);

/* --- requests ----------------------------------------------------------------------------------------------
 */

/* An option by its name on the command line, without dashes: {"team-color", "3"}, {"collision", "on"}. */
typedef struct thaw_option {
  const char* name;
  const char* value;
} thaw_option;

/* What is asked for, and with what. NULL in place of a request, and 0 of each member, is what is usual. */
typedef struct thaw_request {
  size_t size;
  const thaw_option* options;
  size_t option_count;
  /* Layers above the folder of a document that was opened by its path; all there is of others. */
  const thaw_sources* sources;
  const thaw_control* control;
  const thaw_document* onto;    /* of glTF: the model that was edited, as --onto */
  const thaw_document* network; /* of animations: the network with their skeleton, as --skeleton FILE */
  /* Takes findings of the call, which the caller frees; NULL: nobody does. As it was where the call fails
   * before it begins. */
  thaw_findings** findings;
} thaw_request;

/* The options there are: of conversions and scenes, then of pictures, then of validation. `values` is what
 * each takes, as "1 to 12" or "on|off". NULL behind the last. */
THAW_API const char* thaw_option_name(size_t index, const char** values, const char** group);

/* As thaw_archive_open with the options `strict` and `encoding-of-names` and the findings of a request. */
THAW_API thaw_archive* thaw_archive_open_with(const char* path, const thaw_request* request,
                                              thaw_error** error);
THAW_API thaw_archive* thaw_archive_open_bytes_with(const void* data, size_t size,
                                                    const thaw_request* request, thaw_error** error);
/* The same without a copy: `data` must not change until `release` takes it, once, also after an error. */
THAW_API thaw_archive* thaw_archive_open_memory(const void* data, size_t size, thaw_release release,
                                                void* user, const thaw_request* request, thaw_error** error);

/* --- documents ---------------------------------------------------------------------------------------------
 */

/* Reads a file of any format, known by its content. Of the request, the options `strict` and
 * `encoding-of-names` and the control count. Errors: input.unreadable, format.unknown, format.foreign, and
 * with strict the first damage. */
THAW_API thaw_document* thaw_open(const char* path, const thaw_request* request, thaw_error** error);
/* The same of bytes, of which nothing is kept. `name` is what the file is called: in an archive with its
 * folders, so that sources find what belongs to it. */
THAW_API thaw_document* thaw_open_bytes(const void* data, size_t size, const char* name,
                                        const thaw_request* request, thaw_error** error);
/* The document of a dump, which may have been changed. Errors begin with line and column. */
THAW_API thaw_document* thaw_build(const char* json, const char* name, thaw_error** error);
THAW_API void thaw_document_free(thaw_document* document);

/* As thaw_open_bytes, for programs with other work in between: maps of World of Warcraft's alpha are read
 * tile by tile, all other files in one step. `data` must stay until the reader is freed. */
THAW_API thaw_reader* thaw_reader_new(const void* data, size_t size, const char* name,
                                      const thaw_request* request, thaw_error** error);
/* Reads the next part; 0 if nothing is left to read. */
THAW_API int thaw_reader_step(thaw_reader* reader);
/* The share that is read, 0 to 1. */
THAW_API float thaw_reader_share(const thaw_reader* reader);
/* The document, once, with all that is left to read. Errors as thaw_open_bytes. */
THAW_API thaw_document* thaw_reader_document(thaw_reader* reader, thaw_error** error);
THAW_API void thaw_reader_free(thaw_reader* reader);

typedef struct thaw_format {
  size_t size;
  const char* id;          /* stable, "mdx" */
  const char* name;        /* for people, "Warcraft III model (MDX)" */
  const char* dialect;     /* "wc3" or "wow-alpha"; empty where there is one */
  const char* converts_to; /* words for thaw_convert, the usual first: "glb gltf mdl" */
  uint32_t version;        /* of the format, or THAW_NONE */
  int32_t fixable;         /* thaw_document_fix has fixes for the format */
} thaw_format;

THAW_API const thaw_format* thaw_document_format(const thaw_document* document);
/* Its file's name, without a folder. */
THAW_API const char* thaw_document_name(const thaw_document* document);
/* What was found while it was read. */
THAW_API const thaw_findings* thaw_document_findings(const thaw_document* document);
/* JSON as `thaw info --json` has it: name, counts, clips in seconds, textures, bounds, picture. */
THAW_API thaw_blob* thaw_document_facts(const thaw_document* document, thaw_error** error);
/* JSON: a list of the files that it needs and of those that these need, each with `kind`, `path`, `by`,
 * `state`
 * ("found", "missing", "supplied", "unknown"), and `where` it is. */
THAW_API thaw_blob* thaw_document_dependencies(const thaw_document* document, const thaw_request* request,
                                               thaw_error** error);
/* JSON as `thaw dump` has it, with what thaw_build needs. */
THAW_API thaw_blob* thaw_document_dump(const thaw_document* document, thaw_error** error);
/* The first `most` bytes of the fields as JSON and up to 64 KiB more, without `$layout`. `complete` becomes 1
 * if that is all. */
THAW_API thaw_blob* thaw_document_dump_start(const thaw_document* document, size_t most, int* complete,
                                             thaw_error** error);
/* JSON: a list of the words of thaw_format.converts_to, each with `to`, `extension` (empty if it has none),
 * `versions` that the option `format-version` takes, and `needs`: "skeleton", "map" or empty. */
THAW_API thaw_blob* thaw_document_targets(const thaw_document* document, thaw_error** error);
/* JSON: the first `most` differences from another document, as `thaw diff --json` has them: `path`, `left`
 * and `right`, null where it is absent. Errors: format.foreign for a document of another type. */
THAW_API thaw_blob* thaw_document_compare(const thaw_document* document, const thaw_document* other,
                                          size_t most, thaw_error** error);
/* Column and row of a tile of a map (WDT of World of Warcraft's alpha), 0 to 63; 0 behind the last. */
THAW_API int thaw_document_tile(const thaw_document* document, size_t index, uint32_t* x, uint32_t* y);
/* The file's bytes: what was not changed is as it was read. */
THAW_API thaw_blob* thaw_document_write(const thaw_document* document, thaw_error** error);
/* Writes them to a file. Errors as thaw_write_file. */
THAW_API int thaw_document_save(const thaw_document* document, const char* path, int overwrite,
                                thaw_error** error);

/* Runs the rules of the format. Options: `target`, `kind`. Files beside it are looked for in the sources. */
THAW_API thaw_findings* thaw_document_validate(const thaw_document* document, const thaw_request* request,
                                               thaw_error** error);
/* A document in which was changed what rules can change without changing what is seen; with `fix` `all` also
 * what only its author could make well. `changes`, unless NULL, receives findings, which the caller frees:
 * THAW_INFO for each change, THAW_WARNING where nothing could be changed (fix.damaged). */
THAW_API thaw_document* thaw_document_fix(const thaw_document* document, const thaw_request* request,
                                          thaw_findings** changes, thaw_error** error);

/* --- fields ------------------------------------------------------------------------------------------------
 */

enum {
  THAW_OBJECT = 0, /* members with names */
  THAW_LIST = 1,   /* items without */
  THAW_VALUE = 2,  /* `count` elements of `components` scalars; an array or one element */
  THAW_ROWS = 3,   /* keyframes: `count` rows of one i32 and `components` scalars, 4 bytes each */
  THAW_TEXT = 4,   /* bytes of a text with what stands behind its NUL */
  THAW_TAG = 5,    /* four characters */
  THAW_RAW = 6     /* bytes that are not understood */
};

enum {
  THAW_U8 = 0,
  THAW_I8 = 1,
  THAW_U16 = 2,
  THAW_I16 = 3,
  THAW_U32 = 4,
  THAW_I32 = 5,
  THAW_U64 = 6,
  THAW_I64 = 7,
  THAW_F16 = 8,
  THAW_F32 = 9,
  THAW_F64 = 10
};

/* A part of a document, in the file's order. Tags, sizes and counts that follow from the rest are left out.
 * Numbers are in the order of the machine. */
typedef struct thaw_field {
  size_t size;
  const char* name; /* empty of items; of an item that has a tag, that: "SEQS" */
  const void* data; /* of values */
  uint64_t bytes;   /* that data has */
  uint64_t count;   /* elements of a value, members and items of others */
  uint64_t offset;  /* in the file */
  uint32_t parent;  /* index of what it is in; THAW_NONE of the document itself, which is the first */
  uint32_t next; /* index of the next in the same parent, or THAW_NONE. The first child is the next index */
  uint32_t components; /* of an element */
  uint8_t kind;        /* THAW_OBJECT to THAW_RAW */
  uint8_t scalar;      /* THAW_U8 to THAW_F64 */
  uint8_t array;       /* a value that is an array */
} thaw_field;

/* All fields of a document, which it keeps. */
THAW_API thaw_fields* thaw_document_fields(const thaw_document* document, thaw_error** error);
/* The first of `count`; the next stands `stride` bytes behind it. */
THAW_API const thaw_field* thaw_fields_all(const thaw_fields* fields, size_t* count, size_t* stride);
THAW_API void thaw_fields_free(thaw_fields* fields);

/* An object, list or array of a document, as `thaw tree` lists them. */
typedef struct thaw_tree_node {
  size_t size;
  const char* name;  /* tag, field name or [index], as in paths; of a tag that comes again TAG#2 */
  const char* label; /* its own name, such as a sequence's; empty if it has none */
  uint64_t offset;   /* in the file */
  uint64_t bytes;
  uint64_t count;  /* elements of a list or array, or THAW_NO_OFFSET */
  uint32_t depth;  /* 0: directly in the document */
  uint32_t parent; /* index, or THAW_NONE */
  uint32_t last;   /* index of the last one within it; its own if there is none */
  int32_t raw;     /* bytes that are not understood */
} thaw_tree_node;

/* The structure in file order, at most `most` nodes. */
THAW_API thaw_tree* thaw_document_tree(const thaw_document* document, size_t most, thaw_error** error);
/* As thaw_fields_all; `complete`, unless NULL, becomes 1 if the document has no more. */
THAW_API const thaw_tree_node* thaw_tree_all(const thaw_tree* tree, size_t* count, size_t* stride,
                                             int* complete);
THAW_API void thaw_tree_free(thaw_tree* tree);

/* Edits by path, as `thaw set`: "SEQS[0].name", "MTLS[*].layers[0].flags". Values are JSON; of texts the
 * quotes may be left out. Errors: edit.path and others with the path. */
THAW_API thaw_editor* thaw_editor_new(const thaw_document* document, thaw_error** error);
/* JSON: what stands at each place of the path, {"path": value, ...}. */
THAW_API thaw_blob* thaw_editor_get(thaw_editor* editor, const char* path, thaw_error** error);
THAW_API int thaw_editor_set(thaw_editor* editor, const char* path, const char* value, thaw_error** error);
/* Puts an item in front of the one at the path; "SEQS[+]" is the end. */
THAW_API int thaw_editor_add(thaw_editor* editor, const char* path, const char* value, thaw_error** error);
THAW_API int thaw_editor_remove(thaw_editor* editor, const char* path, thaw_error** error);
/* An edit as one text, as the command takes it: "SEQS[0].name=Walk", "copy A B". */
THAW_API int thaw_editor_edit(thaw_editor* editor, const char* text, thaw_error** error);
/* A JSON Patch (RFC 6902) of the dump. */
THAW_API int thaw_editor_patch(thaw_editor* editor, const char* json, thaw_error** error);
/* Takes the last edit back; 0 if there is none. */
THAW_API int thaw_editor_undo(thaw_editor* editor);
/* The document with all edits. Errors: build.value for what a field cannot hold, with its path. */
THAW_API thaw_document* thaw_editor_document(const thaw_editor* editor, thaw_error** error);
THAW_API void thaw_editor_free(thaw_editor* editor);

/* --- conversions -------------------------------------------------------------------------------------------
 */

/* What `thaw convert` makes of a file. `target` is a word of thaw_format.converts_to; `file_name` is what the
 * output is called, without a folder, NULL for the document's name with another extension. */
THAW_API thaw_outputs* thaw_convert(const thaw_document* document, const char* target, const char* file_name,
                                    const thaw_request* request, thaw_error** error);
/* The first is what was asked for, others belong beside it. */
THAW_API size_t thaw_outputs_count(const thaw_outputs* outputs);
THAW_API const char* thaw_outputs_name(const thaw_outputs* outputs, size_t index);
THAW_API const uint8_t* thaw_outputs_data(const thaw_outputs* outputs, size_t index, size_t* size);
/* For people: "6 clips". */
THAW_API const char* thaw_outputs_note(const thaw_outputs* outputs);
/* The same for machines, JSON. */
THAW_API const char* thaw_outputs_json(const thaw_outputs* outputs);
THAW_API void thaw_outputs_free(thaw_outputs* outputs);

/* --- scenes ------------------------------------------------------------------------------------------------
 */

/* What a document shows: right-handed, Y up, metres, seconds, radians; triangles are seen from where they run
 * counter-clockwise; UVs begin at the top left. Errors: format.unsupported for what is no model. */
THAW_API thaw_scene* thaw_document_scene(const thaw_document* document, const thaw_request* request,
                                         thaw_error** error);
THAW_API void thaw_scene_free(thaw_scene* scene);

typedef struct thaw_scene_info {
  size_t size;
  const char* name;
  uint32_t nodes, meshes, skins, materials, textures, images, clips, cameras;
  float minimum[3];
  float maximum[3];
  float radius;
  uint32_t emitters, ribbons;
  uint32_t object_sets; /* of a WMO: doodad sets, which the option `doodad-set` takes */
} thaw_scene_info;

/* A place in the hierarchy; parents come before their children. */
typedef struct thaw_node {
  size_t size;
  const char* name;
  const char* kind; /* "bone", "attachment" */
  uint32_t parent;  /* or THAW_NONE */
  float translation[3];
  float rotation[4]; /* unit quaternion x y z w */
  float scale[3];
} thaw_node;

/* Triangles of one material. */
typedef struct thaw_part {
  uint32_t first_index;
  uint32_t index_count;
  uint32_t material; /* or THAW_NONE */
} thaw_part;

/* Arrays are NULL or as long as said. */
typedef struct thaw_mesh {
  size_t size;
  const char* name;
  const float* positions;  /* 3 per vertex */
  const float* normals;    /* 3 */
  const float* tangents;   /* 4, w is the handedness */
  const float* colors;     /* 4 */
  const uint16_t* joints;  /* `influences` per vertex, indices into the skin's joints */
  const float* weights;    /* as many; they sum to 1 */
  const uint32_t* indices; /* three per triangle */
  const thaw_part* parts;  /* in the order of the indices */
  uint32_t vertices, index_count, part_count, influences;
  uint32_t normal_count; /* vertices that have a normal: all or none */
  uint32_t uv_sets;
  uint32_t morph_targets;
  uint32_t skin;  /* or THAW_NONE */
  uint32_t node;  /* where it hangs, or THAW_NONE */
  float color[3]; /* multiplies the texture */
  float alpha;
  const char* place; /* path in the document, "GEOS[0]"; empty if it was made of several parts */
} thaw_mesh;

typedef struct thaw_skin {
  size_t size;
  const uint32_t* joints;    /* nodes */
  const float* inverse_bind; /* 16 per joint, column-major */
  uint32_t joint_count;
} thaw_skin;

typedef struct thaw_layer {
  size_t size;
  const char* blend; /* "opaque", "mask", "blend", "additive", "add-alpha", "modulate", "modulate2x" */
  uint32_t texture;  /* or THAW_NONE */
  uint32_t uv_set;
  float alpha;
  int32_t unshaded, two_sided, physically_based;
} thaw_layer;

typedef struct thaw_texture {
  size_t size;
  const char* path; /* in the game; empty of replaceable ones */
  uint32_t replaceable_id;
  uint32_t image; /* or THAW_NONE */
  int32_t wrap_u, wrap_v;
} thaw_texture;

/* R G B A, 8 bits each, straight alpha, sRGB, top row first. */
typedef struct thaw_pixels {
  size_t size;
  const char* name;
  const char* source; /* where it came from; empty of what was made */
  const uint8_t* rgba;
  uint32_t width, height;
  int32_t placeholder; /* there was no such picture */
} thaw_pixels;

/* An animation, or with `global` a loop that runs beside all of them. */
typedef struct thaw_clip {
  size_t size;
  const char* name;
  float duration; /* seconds */
  uint32_t channels;
  int32_t looping, global;
} thaw_clip;

/* A curve of a clip, and what it moves. */
typedef struct thaw_channel {
  size_t size;
  const char* property; /* "translation", "rotation", "visibility", "layerAlpha" */
  const char* target;   /* "node", "mesh", "layer", "uvAnimation", "light", "camera", "emitter", "ribbon" */
  const char* mode;     /* "step", "linear", "cubic" (in tangent, value, out tangent) */
  const float* times;   /* seconds, one per key */
  const float* values;  /* `components` per key, three times as many if cubic */
  uint32_t keys, components;
  uint32_t index; /* of the target; of a layer its material */
  uint32_t layer; /* within the material */
} thaw_channel;

typedef struct thaw_camera {
  size_t size;
  const char* name;
  uint32_t node;       /* looks along its -Z */
  uint32_t target;     /* node, or THAW_NONE */
  float field_of_view; /* radians as stored */
  float near_clip, far_clip;
} thaw_camera;

THAW_API const thaw_scene_info* thaw_scene_about(const thaw_scene* scene);
/* NULL behind the last, as all that follow. */
THAW_API const thaw_node* thaw_scene_node(const thaw_scene* scene, size_t index);
THAW_API const thaw_mesh* thaw_scene_mesh(const thaw_scene* scene, size_t index);
/* Two floats per vertex. */
THAW_API const float* thaw_scene_uvs(const thaw_scene* scene, size_t mesh, size_t set);
/* Three floats per vertex: what a morph target adds to the positions. */
THAW_API const float* thaw_scene_morph(const thaw_scene* scene, size_t mesh, size_t target,
                                       const char** name);
THAW_API const thaw_skin* thaw_scene_skin(const thaw_scene* scene, size_t index);
THAW_API size_t thaw_scene_layers(const thaw_scene* scene, size_t material);
THAW_API const thaw_layer* thaw_scene_layer(const thaw_scene* scene, size_t material, size_t layer);
THAW_API const thaw_texture* thaw_scene_texture(const thaw_scene* scene, size_t index);
THAW_API const thaw_pixels* thaw_scene_image(const thaw_scene* scene, size_t index);
THAW_API const thaw_clip* thaw_scene_clip(const thaw_scene* scene, size_t index);
THAW_API const thaw_channel* thaw_scene_channel(const thaw_scene* scene, size_t clip, size_t channel);
THAW_API const thaw_camera* thaw_scene_camera(const thaw_scene* scene, size_t index);
THAW_API const char* thaw_scene_material_name(const thaw_scene* scene, size_t material);
THAW_API const char* thaw_scene_object_set(const thaw_scene* scene, size_t index);
/* The node that a particle emitter or a ribbon hangs at; THAW_NONE without one and behind the last. */
THAW_API uint32_t thaw_scene_emitter(const thaw_scene* scene, size_t index);
THAW_API uint32_t thaw_scene_ribbon(const thaw_scene* scene, size_t index);
/* The clip to show first: Stand, of portraits Portrait, else one that loops; THAW_NONE without clips. */
THAW_API uint32_t thaw_scene_default_clip(const thaw_scene* scene);
/* The camera of the portrait, or THAW_NONE. `is_portrait`, unless NULL, becomes 1 for a model that is made to
 * be seen through it. */
THAW_API uint32_t thaw_scene_portrait(const thaw_scene* scene, int* is_portrait);
/* 1 if something moves while no clip plays: loops, particles, models in it. */
THAW_API int thaw_scene_moves(const thaw_scene* scene);

/* --- frames ------------------------------------------------------------------------------------------------
 */

/* Looks from `eye` to `target`. Metres and radians. */
typedef struct thaw_viewpoint {
  size_t size;
  float eye[3];
  float target[3];
  float up[3];
  float field_of_view; /* between bottom and top */
  float height;        /* above 0: parallel projection that shows so much from bottom to top */
  float near_clip, far_clip;
  float aspect; /* width by height */
} thaw_viewpoint;

/* A scene that is ready to be shown at any time, for programs that draw it themselves: with the pictures of
 * emitters and the models within it. A skeleton without a character gets shapes. Options and errors as
 * thaw_document_scene. */
THAW_API thaw_view* thaw_document_view(const thaw_document* document, const thaw_request* request,
                                       thaw_error** error);
THAW_API void thaw_view_free(thaw_view* view);
/* The scene, which belongs to the view. */
THAW_API const thaw_scene* thaw_view_scene(const thaw_view* view);
/* All pictures that draws name, those of thaw_view_scene first; NULL behind the last. */
THAW_API const thaw_pixels* thaw_view_image(const thaw_view* view, size_t index);
/* The camera that shows all of a clip (THAW_NONE: the rest pose) from a side. Azimuth 0 looks at the front,
 * positive ones go to the model's left; `distance` 1 fills the picture. */
THAW_API int thaw_view_frame_clip(const thaw_view* view, uint32_t clip, float azimuth, float elevation,
                                  float distance, float aspect, thaw_viewpoint* from, thaw_error** error);
/* A camera of the scene at a time of a clip, in seconds; 0 if there is none. */
THAW_API int thaw_view_camera(const thaw_view* view, uint32_t camera, uint32_t clip, double time,
                              float aspect, thaw_viewpoint* from);

/* A mesh whose vertices stay on the graphics card. Vertex v is moved by the `influences` matrices of its
 * group groups[v]: joints and weights from representatives[group] * influences on. Without groups the first
 * matrix moves all. Arrays are NULL or as long as said. */
typedef struct thaw_rest_mesh {
  size_t size;
  const float* positions;          /* 3 per vertex */
  const float* normals;            /* 3 */
  const float* tangents;           /* 4, w is the side of the bitangent */
  const float* colors;             /* 4 */
  const uint32_t* indices;         /* three per triangle */
  const uint32_t* groups;          /* 1 per vertex */
  const uint32_t* representatives; /* `group_count` vertices */
  const uint16_t* joints;          /* `influences` per vertex */
  const float* weights;
  uint32_t vertices, index_count, uv_sets, group_count, influences;
} thaw_rest_mesh;

/* NULL behind the last. */
THAW_API const thaw_rest_mesh* thaw_view_rest_mesh(const thaw_view* view, size_t index);
/* Two floats per vertex. */
THAW_API const float* thaw_view_rest_uvs(const thaw_view* view, size_t mesh, size_t set);

enum {
  THAW_SHOW_SURFACES = 1,
  THAW_SHOW_EMITTERS = 2,     /* particles and ribbons */
  THAW_SHOW_ATTACHMENTS = 4,  /* models that hang at the scene's nodes */
  THAW_SHOW_WIREFRAME = 8,    /* edges of all meshes */
  THAW_SHOW_BONES = 16,       /* lines from nodes to their parents */
  THAW_SHOW_COLLISION = 32,   /* collision shapes */
  THAW_SHOW_EXTENTS = 64,     /* the box and the sphere that the scene states */
  THAW_SHOW_GRID = 128,       /* squares on the ground */
  THAW_SHOW_FOG = 256,        /* that of the request */
  THAW_SHOW_REST_MESHES = 512 /* meshes at rest and matrices, where a vertex shader can do the rest */
};

enum {
  THAW_LIGHT_RENDERER = 0, /* a key light from above the viewer's left shoulder and a weak one from behind */
  THAW_LIGHT_OVERHEAD = 1, /* by how much a surface faces up */
  THAW_LIGHT_SCENE = 2,    /* only the lights of the scene */
  THAW_LIGHT_NONE = 3      /* everything at full brightness */
};

typedef struct thaw_frame_request {
  size_t size;
  const thaw_viewpoint* from;
  const uint32_t* hidden_meshes; /* indices */
  uint32_t hidden_count;
  uint32_t clip;        /* or THAW_NONE for the rest pose */
  uint32_t show;        /* THAW_SHOW_... */
  uint32_t lighting;    /* THAW_LIGHT_... */
  uint32_t marked_node; /* the node whose axes are drawn, or THAW_NONE */
  float fog_color[3];
  float fog_start,
      fog_end; /* metres from the eye's plane: clear up to there, nothing but fog from there on */
} thaw_frame_request;

enum { THAW_TRIANGLES = 0, THAW_LINES = 1, THAW_POINTS = 2 };

/* source * factor + destination * factor, with straight alpha */
enum {
  THAW_BLEND_NONE = 0,      /* source */
  THAW_BLEND_ALPHA = 1,     /* source * alpha + destination * (1 - alpha) */
  THAW_BLEND_ADD = 2,       /* source * alpha + destination */
  THAW_BLEND_MODULATE = 3,  /* source * destination */
  THAW_BLEND_MODULATE2X = 4 /* 2 * source * destination */
};

/* What a draw was made of. */
enum {
  THAW_OF_MESH = 0,
  THAW_OF_EMITTER = 1,
  THAW_OF_RIBBON = 2,
  THAW_OF_BONES = 3,
  THAW_OF_COLLISION = 4,
  THAW_OF_EXTENTS = 5,
  THAW_OF_WIREFRAME = 6,
  THAW_OF_GRID = 7,
  THAW_OF_MARK = 8,
  THAW_OF_SPLAT = 9
};

enum {
  THAW_DRAW_DEPTH_TEST = 1,
  THAW_DRAW_DEPTH_WRITE = 2,
  THAW_DRAW_TWO_SIDED = 4,
  THAW_DRAW_FOGGED = 8,
  THAW_DRAW_PHYSICALLY_BASED = 16,
  THAW_DRAW_NORMAL_IN_ALPHA = 32, /* x of `normal` is in A instead of R */
  THAW_DRAW_LIT = 64,             /* vertex colours are to be multiplied by the lights */
  THAW_DRAW_SPHERE_MAP = 128      /* UVs are (1/2 + x/2, 1/2 - y/2) of the normal in view space */
};

/* One call: `index_count` indices from `first_index` on, each relative to the bases. A pixel's colour is
 * texel * vertex colour * `color`; UVs are (a b; c d) * uv + (e f). docs/library/rendering.md has the
 * formulae of physically based draws. Pictures are indices of thaw_view_image or THAW_NONE. */
typedef struct thaw_draw {
  size_t size;
  uint32_t topology; /* THAW_TRIANGLES to THAW_POINTS */
  uint32_t first_index, index_count, vertex_count;
  uint32_t base_position;
  uint32_t base_uv, base_color; /* or THAW_NONE, as the next two */
  uint32_t base_normal;         /* THAW_NONE: light is in the colours */
  uint32_t base_tangent;
  uint32_t flags;                 /* THAW_DRAW_... */
  uint32_t blend;                 /* THAW_BLEND_... */
  uint32_t origin, object, layer; /* THAW_OF_..., its index and its material's layer */
  uint32_t rest_mesh;             /* with THAW_SHOW_REST_MESHES: of thaw_view_rest_mesh, or THAW_NONE */
  uint32_t base_matrix, uv_set;   /* of a mesh at rest */
  uint32_t texture, orm, emissive, team_color, normal, environment;
  uint32_t wraps; /* of these six: bits 2i and 2i + 1 if picture i repeats in u and v */
  float uv_matrix[6];
  float color[4];
  float alpha_cutoff; /* pixels with less alpha are dropped */
  float emissive_gain, environment_gain;
  float rim[3]; /* edges that face away glow in that colour */
  float rim_opacity, rim_team;
  float bare_color; /* of vertices without colours */
} thaw_draw;

typedef struct thaw_light {
  size_t size;
  float place[3]; /* metres; of a distant one the direction towards it */
  float color[3];
  float start, end; /* of a near one, metres: all of its light up to here, none from there on */
  int32_t local;    /* 1: a near one */
} thaw_light;

/* Vertices in world space and draws in the order in which they go over each other. */
typedef struct thaw_frame_data {
  size_t size;
  const float* positions; /* 3 per vertex */
  const float* uvs;       /* 2 */
  const uint8_t* colors;  /* R G B A */
  const float* normals;   /* 3 */
  const float* tangents;  /* 4 */
  const uint32_t* indices;
  const float* matrices;    /* 12 each: rows of affine matrices, which move meshes at rest */
  const thaw_draw* draws;   /* the next stands `draw_stride` bytes behind it */
  const thaw_light* lights; /* at most 8, `light_stride` */
  uint32_t position_count, uv_count, color_count, normal_count, tangent_count, index_count, matrix_count;
  uint32_t draw_count, draw_stride, light_count, light_stride;
  uint32_t triangles, particles;
  int32_t complete; /* nothing was left out for its number */
  float view[16];   /* column-major */
  float projection[16];
  float viewer[4]; /* the eye's place and 1; of a parallel projection the direction to it and 0 */
  float ambient[3];
  float surroundings[3]; /* brightness of what mirrors show */
  float most;            /* brightness of a vertex at most */
  int32_t fogged;
  float fog_color[3];
  float fog_start, fog_end;
} thaw_frame_data;

/* A frame of a view, which must outlive it. One thread may use it at a time. */
THAW_API thaw_frame* thaw_frame_new(const thaw_view* view, thaw_error** error);
/* The draws of a time of a clip as the viewpoint sees them; `clock` is the time of loops that play beside
 * clips. Both in seconds. Good until the next call for the frame. */
THAW_API const thaw_frame_data* thaw_frame_evaluate(thaw_frame* frame, const thaw_frame_request* request,
                                                    double time, double clock, thaw_error** error);

typedef struct thaw_hit {
  size_t size;
  uint32_t origin, object, layer; /* as in thaw_draw */
  /* The part, vertex and node that moves it, of a mesh of the scene; THAW_NONE of all others. */
  uint32_t part, vertex, node;
} thaw_hit;

/* What the frame shows at a place, -1 to 1 from left to right and from bottom to top; 0 if nothing. Fills
 * `hit`.
 */
THAW_API int thaw_frame_pick(thaw_frame* frame, float x, float y, thaw_hit* hit);
/* The frame by the built-in rasteriser. `samples` per pixel are 1, 4, 8 or 16; `background` is R G B A from
 * the lowest byte on. */
THAW_API thaw_image* thaw_frame_draw(thaw_frame* frame, uint32_t width, uint32_t height, uint32_t samples,
                                     uint32_t background, thaw_error** error);
THAW_API void thaw_frame_free(thaw_frame* frame);

/* --- pictures ----------------------------------------------------------------------------------------------
 */

/* What `thaw render` draws. Options: those of pictures and of scenes. Errors: scene.no-clip, scene.no-camera.
 */
THAW_API thaw_image* thaw_render(const thaw_document* document, const thaw_request* request,
                                 thaw_error** error);
/* The pixels of a texture. Options: `max-size`. */
THAW_API thaw_image* thaw_document_image(const thaw_document* document, const thaw_request* request,
                                         thaw_error** error);
THAW_API const thaw_pixels* thaw_image_pixels(const thaw_image* image);
/* A PNG file. `level` is 1 (fast) to 12 (small), 0 what conversions use. */
THAW_API thaw_blob* thaw_image_png(const thaw_image* image, int level, thaw_error** error);
THAW_API void thaw_image_free(thaw_image* image);

#ifdef __cplusplus
}
#endif

#endif
