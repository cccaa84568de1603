//! All figures, and how they are drawn of a folder.

use super::drawing::{Drawn, NoFigure};
use super::plot::Plot;
use super::source::{Choice, Source};
use super::{
    constants, distribution, id_range, kinds, layouts, messages, network_edges, network_paired,
    network_time, networks, paired, per_node, quantiles, ratio, trade_off,
};
use crate::experiment::error::Result;
use crate::model::error::Input;
use crate::results::Results;
use crate::summarise::Summary;

/// All figures, in the order of a page.
pub const FIGURES: &[Plot] = &[
    messages::PLOT,
    per_node::PLOT,
    ratio::PLOT,
    distribution::PLOT,
    quantiles::PLOT,
    layouts::PLOT,
    kinds::PLOT,
    trade_off::PLOT,
    id_range::PLOT,
    constants::PLOT,
    paired::PLOT,
    networks::PLOT,
    network_edges::PLOT,
    network_time::PLOT,
    network_paired::PLOT,
];

/// Draws all figures that the data allows. Those about rings are passed over where there are no
/// rings, and those about trees and graphs where there are none of these.
pub fn draw(results: &Results, summary: &Summary) -> Result<Drawn> {
    draw_chosen(results, summary, None, &Choice::default())
}

/// Draws the figure of that name.
pub fn draw_one(results: &Results, summary: &Summary, name: &str) -> Result<Drawn> {
    draw_chosen(results, summary, Some(name), &Choice::default())
}

/// Draws one figure or all, with a choice of what they show.
pub fn draw_chosen(
    results: &Results,
    summary: &Summary,
    name: Option<&str>,
    choice: &Choice,
) -> Result<Drawn> {
    if let Some(name) = name
        && !FIGURES.iter().any(|plot| plot.name == name)
    {
        let names: Vec<&str> = FIGURES.iter().map(|plot| plot.name).collect();
        let all = format!("the figures are {}", names.join(", "));
        return Err(Input::unknown("figure", name, names, &all).into());
    }
    let source = Source::new(results, summary, choice)?;
    let mut drawn = Drawn { figures: Vec::new(), skipped: Vec::new() };
    // Rings say nothing about graphs, nor graphs about rings: that is no gap in the data.
    let wanted = |plot: &&Plot| match name {
        Some(name) => name == plot.name,
        None => source.is_about(plot.about),
    };
    for plot in FIGURES.iter().filter(wanted) {
        if !plot.metrics.contains(&source.metric()) {
            let of: Vec<&str> = plot.metrics.iter().map(|metric| metric.name()).collect();
            let why = format!("it is about {}, not {}", of.join(", "), source.metric());
            drawn.skipped.push((plot.name, why));
            continue;
        }
        match (plot.draw)(&source) {
            Ok(figure) => drawn.figures.push(figure),
            Err(NoFigure::Skipped(why)) => drawn.skipped.push((plot.name, why)),
            Err(NoFigure::Failed(error)) => return Err(error),
        }
    }
    Ok(drawn)
}
