/* jobs SAMPLES ARCHIVE OUT: ten jobs with <thaw.h>, each with its files in OUT. tests/scripts/bindings.py
 * compares them with what the command makes, and with what the same jobs in other languages make. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thaw.h>

static char path[4096];
static const char* out;
static const char* samples;

static const char* join(const char* folder, const char* name) {
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void* check(void* made, thaw_error* error) {
  if (!made) {
    fprintf(stderr, "%s: %s [%s]\n", error->code, error->message, error->path);
    exit(1);
  }
  return made;
}

static void write_bytes(const char* name, const void* data, size_t size) {
  thaw_error* error = NULL;
  check(thaw_write_file(join(out, name), data, size, 1, &error) ? &error : NULL, error);
}

static void write_blob(const char* name, thaw_blob* blob) {
  write_bytes(name, thaw_blob_data(blob), thaw_blob_size(blob));
  thaw_blob_free(blob);
}

static thaw_document* open_sample(const char* name) {
  thaw_error* error = NULL;
  return check(thaw_open(join(samples, name), NULL, &error), error);
}

static void print_findings(FILE* file, const thaw_findings* findings) {
  for (size_t i = 0; i < thaw_findings_count(findings); ++i) {
    const thaw_finding* finding = thaw_findings_at(findings, i);
    fprintf(file, "%s %d [%s] ", finding->code, (int)finding->severity, finding->path);
    if (finding->offset == THAW_NO_OFFSET) {
      fprintf(file, "-\n");
    } else {
      fprintf(file, "%llu\n", (unsigned long long)finding->offset);
    }
  }
}

static FILE* open_text(const char* name) {
  FILE* file = fopen(join(out, name), "wb");
  if (!file) {
    perror(path);
    exit(1);
  }
  return file;
}

static void facts(void) {
  thaw_error* error = NULL;
  thaw_document* model = open_sample("knight.mdx");
  write_blob("facts.json", check(thaw_document_facts(model, &error), error));
  thaw_document_free(model);
}

/* The field of a name in another, or NULL. */
static const thaw_field* member(const thaw_field* all, const thaw_field* of, const char* name) {
  if (of->count == 0) {
    return NULL;
  }
  const thaw_field* field = of + 1;
  while (strcmp(field->name, name) != 0) {
    if (field->next == THAW_NONE) {
      return NULL;
    }
    field = all + field->next;
  }
  return field;
}

static unsigned number(const thaw_field* field) {
  uint32_t value = 0;
  memcpy(&value, field->data, sizeof value);
  return value;
}

static void fields(void) {
  thaw_error* error = NULL;
  thaw_document* model = open_sample("knight.mdx");
  thaw_fields* table = check(thaw_document_fields(model, &error), error);
  thaw_document_free(model); /* the fields keep it */
  size_t count = 0;
  size_t stride = 0;
  const thaw_field* all = thaw_fields_all(table, &count, &stride);
  if (stride != sizeof(thaw_field)) {
    exit(1); /* of a newer library fields are longer */
  }
  const thaw_field* chunk = member(all, member(all, all, "chunks"), "SEQS");
  const thaw_field* items = member(all, chunk, "items");
  FILE* file = open_text("fields.txt");
  for (const thaw_field* item = items + 1;; item = all + item->next) {
    fprintf(file, "%s %u %u\n", (const char*)member(all, item, "name")->data,
            number(member(all, item, "start")), number(member(all, item, "end")));
    if (item->next == THAW_NONE) {
      break;
    }
  }
  fclose(file);
  thaw_fields_free(table);
}

static void set_and_save(void) {
  thaw_error* error = NULL;
  thaw_document* model = open_sample("knight.mdx");
  thaw_editor* editor = check(thaw_editor_new(model, &error), error);
  check(thaw_editor_set(editor, "SEQS[0].name", "Stand Ready", &error) ? editor : NULL, error);
  thaw_document* edited = check(thaw_editor_document(editor, &error), error);
  check(thaw_document_save(edited, join(out, "set.mdx"), 1, &error) ? edited : NULL, error);
  thaw_document_free(edited);
  thaw_editor_free(editor);
  thaw_document_free(model);
}

static void validate_and_fix(void) {
  thaw_error* error = NULL;
  thaw_document* model = open_sample("everything_v800.mdx");
  thaw_findings* found = check(thaw_document_validate(model, NULL, &error), error);
  FILE* file = open_text("validate.txt");
  print_findings(file, thaw_document_findings(model)); /* of its reader, which rules do not repeat */
  print_findings(file, found);
  fclose(file);
  thaw_findings_free(found);
  thaw_document* fixed = check(thaw_document_fix(model, NULL, &found, &error), error);
  file = open_text("fixes.txt");
  for (size_t i = 0; i < thaw_findings_count(found); ++i) {
    fprintf(file, "%s [%s]\n", thaw_findings_at(found, i)->code, thaw_findings_at(found, i)->path);
  }
  fclose(file);
  thaw_findings_free(found);
  write_blob("fixed.mdx", check(thaw_document_write(fixed, &error), error));
  thaw_document_free(fixed);
  thaw_document_free(model);
}

static void convert(const thaw_document* model, const char* name, const thaw_request* request) {
  thaw_error* error = NULL;
  thaw_outputs* made = check(thaw_convert(model, "glb", name, request, &error), error);
  size_t size = 0;
  const uint8_t* data = thaw_outputs_data(made, 0, &size);
  write_bytes(name, data, size);
  thaw_outputs_free(made);
}

static void to_glb(void) {
  const thaw_option options[] = {{"team-color", "3"}, {"scale", "0.02"}};
  thaw_request request = {sizeof request, options, 2, NULL, NULL, NULL, NULL, NULL};
  thaw_document* model = open_sample("knight.mdx");
  convert(model, "knight.glb", &request);
  thaw_document_free(model);
}

static void picture(void) {
  thaw_error* error = NULL;
  const thaw_option options[] = {{"size", "96x64"}, {"clip", "Walk"}, {"time", "50%"}};
  thaw_request request = {sizeof request, options, 3, NULL, NULL, NULL, NULL, NULL};
  thaw_document* model = open_sample("knight.mdx");
  thaw_image* image = check(thaw_render(model, &request, &error), error);
  write_blob("knight.png", check(thaw_image_png(image, 0, &error), error));
  thaw_image_free(image);
  thaw_document_free(model);
}

static int count_steps(void* user, const char* stage, uint64_t done, uint64_t total) {
  (void)stage;
  (void)done;
  (void)total;
  ++*(unsigned*)user;
  return 0;
}

static void batch(void) {
  thaw_error* error = NULL;
  unsigned steps = 0;
  thaw_control* control = check(thaw_control_new(count_steps, &steps, &error), error);
  thaw_request request = {sizeof request, NULL, 0, NULL, control, NULL, NULL, NULL};
  const char* files[][2] = {{"knight.mdx", "batch-knight.glb"},
                            {"chest.mdx", "batch-chest.glb"},
                            {"house.wmo", "batch-house.glb"},
                            {"waystone_v3.m3", "batch-waystone.glb"}};
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    thaw_document* model = check(thaw_open(join(samples, files[i][0]), &request, &error), error);
    convert(model, files[i][1], &request);
    thaw_document_free(model);
  }
  thaw_control_free(control);
  if (steps < 4) {
    fprintf(stderr, "no progress\n");
    exit(1);
  }
}

static int stop(void* user, const char* stage, uint64_t done, uint64_t total) {
  (void)user;
  (void)stage;
  (void)done;
  (void)total;
  return 1;
}

static void cancel(void) {
  thaw_error* error = NULL;
  thaw_control* control = check(thaw_control_new(stop, NULL, &error), error);
  thaw_request request = {sizeof request, NULL, 0, NULL, control, NULL, NULL, NULL};
  thaw_document* model = open_sample("knight.mdx");
  thaw_outputs* made = thaw_convert(model, "glb", NULL, &request, &error);
  FILE* file = open_text("cancel.txt");
  fprintf(file, "%s\n", made ? "not stopped" : error->code);
  fclose(file);
  thaw_outputs_free(made);
  thaw_error_free(error);
  thaw_document_free(model);
  thaw_control_free(control);
}

static void damaged(void) {
  thaw_error* error = NULL;
  thaw_document* whole = open_sample("knight.mdx");
  thaw_blob* bytes = check(thaw_document_write(whole, &error), error);
  const size_t half = thaw_blob_size(bytes) / 2;
  thaw_document* model = check(thaw_open_bytes(thaw_blob_data(bytes), half, "half.mdx", NULL, &error), error);
  FILE* file = open_text("damaged.txt");
  print_findings(file, thaw_document_findings(model));
  const thaw_option strict = {"strict", "on"};
  thaw_request request = {sizeof request, &strict, 1, NULL, NULL, NULL, NULL, NULL};
  if (!thaw_open_bytes(thaw_blob_data(bytes), half, "half.mdx", &request, &error)) {
    fprintf(file, "strict: %s %llu\n", error->code, (unsigned long long)error->offset);
    thaw_error_free(error);
  }
  fclose(file);
  thaw_document_free(model);
  thaw_document_free(whole);
  thaw_blob_free(bytes);
}

static void from_archive(const char* archive_path) {
  thaw_error* error = NULL;
  thaw_archive* archive = check(thaw_archive_open(archive_path, &error), error);
  thaw_sources* sources = check(thaw_sources_new(&error), error);
  check(thaw_sources_add_archive(sources, archive, &error) ? sources : NULL, error);
  thaw_blob* bytes = check(thaw_archive_read(archive, "units/knight.mdx", &error), error);
  thaw_document* model = check(
      thaw_open_bytes(thaw_blob_data(bytes), thaw_blob_size(bytes), "units/knight.mdx", NULL, &error), error);
  thaw_request request = {sizeof request, NULL, 0, sources, NULL, NULL, NULL, NULL};
  convert(model, "archive.glb", &request);
  thaw_document_free(model);
  thaw_blob_free(bytes);
  thaw_sources_free(sources);
  thaw_archive_free(archive);
}

int main(int argc, char** argv) {
  if (argc != 4) {
    return 2;
  }
  samples = argv[1];
  out = argv[3];
  facts();
  fields();
  set_and_save();
  validate_and_fix();
  to_glb();
  picture();
  batch();
  cancel();
  damaged();
  from_archive(argv[2]);
  return 0;
}
