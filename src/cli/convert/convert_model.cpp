#include "cli/convert/convert_model.hpp"

#include <thaw/mdl.hpp>

namespace thaw::cli {

mdl::WriteOptions text_options(const Settings& settings) {
  mdl::WriteOptions options;
  options.precision = static_cast<unsigned>(settings.precision.value_or(0));
  options.indent = settings.indent == "tab" ? 0 : static_cast<unsigned>(std::stoul(settings.indent));
  options.line_ending = settings.line_ending == "crlf" ? mdl::LineEnding::crlf : mdl::LineEnding::lf;
  options.dialect =
      settings.mdl_dialect == "world-editor" ? mdl::Dialect::world_editor : mdl::Dialect::community;
  options.plain = settings.plain;
  return options;
}

Bytes model_bytes(const mdx::Document& model, Bytes mdx, Target target, const Settings& settings,
                  Diagnostics& findings) {
  return target == targets::kMdl ? mdl::write(model, text_options(settings), findings) : std::move(mdx);
}

Product make_model(const mdx::Document& model, Target target, std::string name, const Settings& settings,
                   Diagnostics& findings) {
  Product product;
  product.facts = "version " + std::to_string(model.version());
  Bytes bytes =
      target == targets::kMdl ? mdl::write(model, text_options(settings), findings) : mdx::write(model);
  product.files.push_back({std::move(name), std::move(bytes)});
  return product;
}

}  // namespace thaw::cli
