// SPDX-License-Identifier: GPL-3.0-only
#include "ui/plot_verb.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <iostream>
#include <memory>

#include "app/cli/exit_code.h"
#include "app/exchange.h"
#include "app/text.h"
#include "common/failure.h"
#include "ui/figure/figure_export.h"
#include "ui/theme/fonts.h"

namespace aether::ui {
namespace {

struct PlotArguments {
    std::vector<std::string> files;
    std::vector<std::string> charts;
    std::string theme = "light";
    double width = 720;
    int columns = 1;
    double scale = 2;
    bool realText = false;

    FigureOptions options() const {
        return {theme == "dark" ? Theme::Dark : Theme::Light, width, columns, scale, realText};
    }
};

int plot(const PlotArguments& arguments) {
    const app::SavedResults saved =
        app::readResults({arguments.files.begin(), arguments.files.end()});
    for (const std::string& problem : saved.problems)
        std::cerr << "aether-bench: " << problem << '\n';
    std::vector<Result> results;
    for (const app::SavedResult& each : saved.results)
        results.push_back(each.result);
    const std::vector<Panel> panels = panelsOf(results);
    if (panels.empty()) return app::cli::kInvalidInput;
    loadFonts();
    for (const std::string& chart : arguments.charts) {
        exportFigure(panels, QString::fromStdString(chart), arguments.options());
        std::cerr << "written: " << chart << '\n';
    }
    return saved.problems.empty() ? app::cli::kFine : app::cli::kInvalidInput;
}

}  // namespace

void addPlotVerb(CLI::App& app, app::cli::Verb& chosen) {
    auto arguments = std::make_shared<PlotArguments>();
    CLI::App* plotVerb =
        app.add_subcommand("plot", "Draw saved results as a figure: PNG, SVG or PDF");
    plotVerb->add_option("files", arguments->files, "Result files, or folders of them")
        ->required()
        ->type_name("FILE");
    plotVerb
        ->add_option("--export-chart", arguments->charts,
                     "Figure to write, .png, .svg or .pdf; may be repeated")
        ->required()
        ->type_name("FILE");
    plotVerb->add_option("--theme", arguments->theme, "Colours")
        ->capture_default_str()
        ->check(CLI::IsMember({"light", "dark"}));
    plotVerb->add_option("--width", arguments->width, "Width in pixels at scale 1")
        ->capture_default_str()
        ->check(CLI::Range(300.0, 4000.0));
    plotVerb->add_option("--columns", arguments->columns, "Panels side by side")
        ->capture_default_str()
        ->check(CLI::Range(1, 6));
    plotVerb->add_option("--scale", arguments->scale, "PNG: pixels per unit")
        ->capture_default_str()
        ->check(CLI::Range(0.5, 4.0));
    plotVerb->add_flag("--real-text", arguments->realText,
                       "SVG: text as text, smaller and searchable, but drawn in another typeface "
                       "where Inter is missing");
    plotVerb->footer(
        "Examples:\n"
        "  aether-bench plot results/today.json --export-chart step.svg --theme dark\n"
        "  aether-bench plot resources/published --export-chart published.pdf --columns 2");
    plotVerb->callback([arguments, &chosen] { chosen = [arguments] { return plot(*arguments); }; });
}

void writeChart(const Result& result, const std::string& file, const std::string& theme) {
    loadFonts();
    FigureOptions options;
    options.theme = theme == "dark" ? Theme::Dark : Theme::Light;
    exportFigure(panelsOf(result), QString::fromStdString(file), options);
}

}  // namespace aether::ui
