//! Files of the games: arguments that name them, uploads, pictures, and the commands.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod archives;
mod checks;
mod commands;
mod hostile;
mod sources;
#[path = "../support/mod.rs"]
mod support;

use archives::{mix, palette, sprite};
use assay_gateway::assets::{Assets, Limits};
use assay_gateway::snapshot::Gateway;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use tempfile::TempDir;

/// A folder that is open, and beside it one that is not.
struct Place {
    all: TempDir,
    gateway: Arc<Gateway>,
}

impl Place {
    fn folder(&self) -> PathBuf {
        self.all.path().join("open")
    }
}

/// One for all tests that only read.
fn place() -> &'static Place {
    static PLACE: OnceLock<Place> = OnceLock::new();
    PLACE.get_or_init(|| {
        let all = tempfile::tempdir().unwrap();
        let folder = all.path().join("open");
        fs::create_dir_all(folder.join("sub")).unwrap();
        fs::write(folder.join("a.pal"), palette()).unwrap();
        fs::write(folder.join("sub/b.shp"), sprite()).unwrap();
        let inner = mix(&[("unittem.pal", &palette()), ("odd name.pal", &palette())]);
        let outer = mix(&[("cache.mix", &inner), ("mouse.shp", &sprite()), ("rules.ini", b"[General]\n")]);
        fs::write(folder.join("ra2.mix"), &outer).unwrap();
        fs::write(folder.join("cut.mix"), &outer[..outer.len() - 700]).unwrap();
        fs::write(all.path().join("secret.pal"), palette()).unwrap();
        #[cfg(unix)]
        {
            let link = |to: &Path, at: &Path| std::os::unix::fs::symlink(to, at);
            link(Path::new("../secret.pal"), &folder.join("out.pal")).unwrap();
            link(&all.path().join("secret.pal"), &folder.join("far.pal")).unwrap();
            link(Path::new(".."), &folder.join("up")).unwrap();
            link(Path::new("a.pal"), &folder.join("near.pal")).unwrap();
            assert!(
                std::process::Command::new("mkfifo").arg(folder.join("pipe.pal")).status().unwrap().success()
            );
        }
        let assets = Assets::new(&[&folder], Limits::default()).unwrap();
        Place { gateway: Arc::new(Gateway::new(None).opening(assets)), all }
    })
}

/// Width, height, colours and pixels of a PNG.
fn seen(png: &[u8]) -> (u32, u32, Option<Vec<u8>>, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let colours = reader.info().palette.as_ref().map(|colours| colours.to_vec());
    let info = reader.next_frame(&mut pixels).unwrap();
    (info.width, info.height, colours, pixels)
}
