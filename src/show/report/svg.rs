//! A drawing as a part of a page.

use crate::model::escape;

/// How ids and references to them begin.
const REFERENCES: [&str; 3] = [" id=\"", "url(#", "href=\"#"];

/// The `<svg>` element of a drawing with a text alternative, and with ids that begin with its `name`,
/// so that two drawings on a page cannot take each other's. The caption is the element
/// `figure-NAME-caption`.
pub(super) fn inline(svg: &str, name: &str, label: &str) -> String {
    let Some(start) = svg.find("<svg") else { return String::new() };
    let root = &svg[start + "<svg".len()..];
    let Some(end) = tag_end(root) else { return String::new() };
    let (attributes, body) = root.split_at(end);
    let ours = format!(
        "<svg role=\"img\" aria-label=\"{}\" aria-describedby=\"figure-{name}-caption\"",
        escape::xml(label)
    );
    let mut theirs = String::new();
    for (attribute, value) in split(attributes) {
        // Ours are above.
        if attribute != "role" && attribute != "id" && !attribute.starts_with("aria-") {
            theirs += &format!(" {attribute}=\"{value}\"");
        }
    }
    theirs += body.trim_end();
    ours + &renamed(&theirs, name)
}

/// Puts a name before all ids and references in tags; the texts between the tags stay.
fn renamed(svg: &str, name: &str) -> String {
    let pieces = svg.split('<').map(|piece| {
        let (tag, text) = piece.split_at(tag_end(piece).unwrap_or(piece.len()));
        REFERENCES.iter().fold(tag.to_owned(), |tag, reference| {
            tag.replace(reference, &format!("{reference}{name}-"))
        }) + text
    });
    pieces.collect::<Vec<_>>().join("<")
}

/// Where the tag ends: the first `>` or `/>` outside quotes.
fn tag_end(tag: &str) -> Option<usize> {
    let mut quote = None;
    for (place, letter) in tag.char_indices() {
        match (quote, letter) {
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), _) if open == letter => quote = None,
            (None, '>') => return Some(place - usize::from(tag[..place].ends_with('/'))),
            _ => {}
        }
    }
    None
}

/// The attributes of a tag: `name="value"`, in either quotes.
fn split(attributes: &str) -> Vec<(&str, &str)> {
    let mut found = vec![];
    let mut rest = attributes;
    while let Some((name, after)) = rest.split_once('=') {
        let after = after.trim_start();
        let Some(quote @ ('"' | '\'')) = after.chars().next() else { break };
        let Some((value, next)) = after[1..].split_once(quote) else { break };
        found.push((name.trim(), value));
        rest = next;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_begin_with_the_name_and_references_follow() {
        let svg = "<?xml version=\"1.0\"?>\n<svg id=\"x\" width='4' role=\"none\" viewBox=\"0 0 4 > 4\">\
                   <clipPath id=\"c\"/><g clip-path=\"url(#c)\"><use href=\"#c\"/></g></svg>\n";
        let expected = "<svg role=\"img\" aria-label=\"a &lt; &quot;b&quot;\" \
                        aria-describedby=\"figure-ratio-caption\" width=\"4\" viewBox=\"0 0 4 > 4\">\
                        <clipPath id=\"ratio-c\"/><g clip-path=\"url(#ratio-c)\">\
                        <use href=\"#ratio-c\"/></g></svg>";
        assert_eq!(inline(svg, "ratio", "a < \"b\""), expected);
    }

    #[test]
    fn names_stay_names_in_labels_and_texts() {
        for name in escape::hostile::names() {
            let svg = format!("<svg width=\"4\"><text>{}</text></svg>", escape::xml(&name));
            let element = inline(&svg, "ratio", &name);
            let document = roxmltree::Document::parse(&element).expect("XML");
            let read = document.root_element().first_element_child().and_then(|text| text.text());
            assert_eq!(read, document.root_element().attribute("aria-label"), "{element}");
        }
    }

    #[test]
    fn what_is_no_drawing_is_nothing() {
        assert_eq!(inline("", "ratio", "a"), "");
        assert_eq!(inline("<svg width=\"3", "ratio", "a"), "");
        assert!(inline("<svg width=\"3\"/>", "ratio", "a").ends_with(" width=\"3\"/>"));
    }
}
