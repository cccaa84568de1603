//! Who is whose neighbour: the families of networks, how they are written, and the networks
//! themselves with their numbered ports.

mod graph;

mod file;

mod family;

mod generate;
mod shape;

pub use family::{RING, TOPOLOGIES, Topology};
pub use file::NetworkFile;
pub use graph::{Graph, Ports, Ring};
pub use shape::Shape;
