//! What this binary was made from and with, as the build script noted it.

use assay_model::Build;

/// The compiler, as it names itself.
pub const TOOLCHAIN: &str = env!("ASSAY_TOOLCHAIN");
/// The triple that it was built for.
pub const TARGET: &str = env!("ASSAY_TARGET");
/// The optimisation level of this crate. The dev profile sets others for single crates, the ports among them.
pub const OPT_LEVEL: &str = env!("ASSAY_OPT_LEVEL");
/// The cargo profile that it inherits from: `debug` or `release`.
pub const PROFILE: &str = env!("ASSAY_PROFILE");
/// blake3 of `Cargo.lock`, hex.
pub const LOCKFILE: &str = env!("ASSAY_LOCKFILE");

/// Version and ports of this binary, as its reports say them.
#[must_use]
pub fn build() -> Build {
    Build { assay: env!("CARGO_PKG_VERSION").to_owned(), ports: env!("ASSAY_PORTS").to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::port_sources::{COVERED, digest};
    use std::fs;
    use std::path::Path;

    /// The build script runs again when a source of the ports changes.
    #[test]
    fn the_binary_names_the_ports_of_the_checkout_that_it_was_built_from() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        assert_eq!(build().ports, digest(&root).unwrap());
        assert!(TOOLCHAIN.starts_with("rustc ") && TARGET.contains('-') && LOCKFILE.len() == 64);
    }

    #[test]
    fn every_source_counts_and_nothing_else_does() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let place = root.path().join(path);
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            fs::write(place, text).unwrap();
            digest(root.path())
        };
        assert!(write("ports/src/lib.rs", "a").is_err(), "the rest is missing");
        for covered in COVERED {
            let path =
                if covered.ends_with("src") { format!("{covered}/lib.rs") } else { covered.to_owned() };
            let _ = write(&path, "a");
        }
        let first = digest(root.path()).unwrap();
        for path in ["ports/tests/x.rs", "harness/src/lib.rs", "ports/src/.lib.rs.swp", "Cargo.lock"] {
            assert_eq!(write(path, "b").unwrap(), first, "{path}");
        }
        let mut before = first;
        for path in
            ["ports/src/combat/x.rs", "ports/src/lib.rs", "harness/model/src/lib.rs", "ports/Cargo.toml"]
        {
            let after = write(path, "b").unwrap();
            assert_ne!(after, before, "{path}");
            before = after;
        }
    }
}
