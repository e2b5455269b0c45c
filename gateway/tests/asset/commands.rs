//! `assay run` with files, and `assay asset ls`, `cat` and `show`.

use super::archives::{mix, palette, sprite};
use super::support::rpc::handshake;
use super::support::{self, stderr, stdout};
use super::{place, seen};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Output, Stdio};

/// Runs the command in the place's folder.
fn at(arguments: &[&str]) -> Output {
    support::command(arguments).current_dir(place().folder()).output().unwrap()
}

fn ok(arguments: &[&str]) -> String {
    let output = at(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

fn fails(arguments: &[&str], code: i32) -> String {
    let output = at(arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stdout(&output));
    stderr(&output)
}

#[test]
fn run_takes_paths_and_writes_what_it_decodes() {
    let out = tempfile::tempdir().unwrap();
    let file = |name: &str| out.path().join(name).to_str().unwrap().to_owned();
    let run = |name: &str, args: &str, out: &str| -> Vec<String> {
        ["run", name, "--assets", ".", "--args", args, "--out", out].map(str::to_owned).to_vec()
    };
    let told = |line: Vec<String>, code: i32| {
        let line: Vec<&str> = line.iter().map(String::as_str).collect();
        if code == 0 { ok(&line) } else { fails(&line, code) }
    };
    let shp = r#"{"bytes":{"path":"ra2.mix","entry":"mouse.shp"}}"#;
    assert!(told(run("shp_ts_decode", shp, &file("x.png")), 0).contains("shp_ts_decode"));
    let (width, height, _, pixels) = seen(&fs::read(file("x.png")).unwrap());
    assert_eq!((width, height, pixels), (3, 1, vec![0, 5, 6]));
    told(run("shp_ts_decode", shp, &file("x.bin")), 0);
    assert_eq!(fs::read(file("x.bin")).unwrap(), [2, 0, 1, 0, 5, 6]);
    told(run("shp_ts_decode", shp, out.path().to_str().unwrap()), 0);
    assert_eq!(fs::read(file("frames.bin")).unwrap(), fs::read(file("x.bin")).unwrap());
    assert_eq!(fs::read(file("frames.png")).unwrap(), fs::read(file("x.png")).unwrap());
    assert!(told(run("shp_ts_decode", shp, &file("x.wav")), 2).contains("gives no audio/wav, but: frames"));
    assert!(told(run("mix_list", r#"{"bytes":"host:ra2.mix"}"#, &file("y.bin")), 2).contains("gives no"));
    let refused = told(run("shp_ts_decode", r#"{"bytes":"host:../secret.pal"}"#, &file("z")), 1);
    assert!(refused.contains("EACCES at `bytes`"), "{refused}");
    assert!(!Path::new(&file("z")).exists());
    assert!(fails(&["run", "pal_decode", "--assets", "nowhere"], 2).contains("nowhere"));
}

#[test]
fn ls_names_what_it_can() {
    let shown = ok(&["asset", "ls", "ra2.mix"]);
    for name in ["cache.mix", "mouse.shp", "rules.ini", "3 entries, 3 with a name"] {
        assert!(shown.contains(name), "{name} in {shown}");
    }
    let inner = ok(&["asset", "ls", "ra2.mix", "cache.mix"]);
    assert!(inner.contains("unittem.pal") && inner.contains("2 entries, 1 with a name"), "{inner}");
    let list = tempfile::NamedTempFile::new().unwrap();
    fs::write(list.path(), "# names\nodd name.pal\tan odd one\n").unwrap();
    let named = ["asset", "ls", "ra2.mix", "cache.mix", "--format", "json", "--names"];
    let document: Value =
        serde_json::from_str(&ok(&[&named[..], &[list.path().to_str().unwrap()]].concat())).unwrap();
    assert_eq!((&document["count"], &document["named"]), (&json!(2), &json!(2)), "{document}");
    assert!(document["entries"][0]["id"].is_u64() && document["entries"][0]["position"].is_u64());
    assert!(fails(&["asset", "ls", "nothing.mix"], 2).contains("nothing.mix"));
    assert!(fails(&["asset", "ls", "a.pal"], 2).contains("failed to list"));
}

/// XCC's database of an archive, with one name.
fn database(name: &str) -> Vec<u8> {
    let mut database = b"XCC by Olaf van der Spek\x1a\x04\x17\x27\x10\x19\x80\0".to_vec();
    for word in [68_u32, 0, 0, 6, 1] {
        database.extend(word.to_le_bytes());
    }
    database.extend([name.as_bytes(), &[0]].concat());
    database
}

#[test]
fn names_that_an_archive_carries_win() {
    let folder = tempfile::tempdir().unwrap();
    let database = database("Strange.one");
    let file = folder.path().join("x.mix");
    fs::write(&file, mix(&[("strange.one", b"1"), ("local mix database.dat", &database)])).unwrap();
    let shown = ok(&["asset", "ls", file.to_str().unwrap()]);
    assert!(shown.contains("Strange.one") && shown.contains("local mix database.dat"), "{shown}");
}

#[test]
fn cat_takes_out_nested_files_whole() {
    let out = tempfile::tempdir().unwrap();
    let file = out.path().join("x.pal");
    ok(&["asset", "cat", "ra2.mix", "cache.mix/unittem.pal", "--out", file.to_str().unwrap()]);
    assert_eq!(fs::read(&file).unwrap(), palette());
    assert_eq!(at(&["asset", "cat", "ra2.mix", "mouse.shp"]).stdout, sprite());
    assert!(fails(&["asset", "cat", "ra2.mix", "cache.mix/no.pal"], 2).contains("no entry `no.pal`"));
    assert!(fails(&["asset", "cat", "ra2.mix", "mouse.shp/x"], 2).contains("no archive"));
    // What is read is never written over, by whatever way it is named.
    let copy = out.path().join("copy.mix");
    fs::copy(place().folder().join("ra2.mix"), &copy).unwrap();
    let (copy, other) = (copy.to_str().unwrap(), out.path().join("other.shp"));
    fs::write(&other, "old").unwrap();
    assert!(
        fails(&["asset", "cat", copy, "mouse.shp", "--out", copy], 2).contains("it is the file that is read")
    );
    assert!(
        fails(&["asset", "show", copy, "mouse.shp", "--out", copy], 2)
            .contains("it is the file that is read")
    );
    assert_eq!(fs::read(copy).unwrap(), fs::read(place().folder().join("ra2.mix")).unwrap());
    fails(&["asset", "cat", copy, "no.shp", "--out", other.to_str().unwrap()], 2);
    assert_eq!(fs::read(&other).unwrap(), b"old");
}

/// Sounds of a bag differ in rate and channels, so one is shown at a time.
#[test]
fn show_takes_one_sound_of_a_bag() {
    let folder = tempfile::tempdir().unwrap();
    let files = assay_fixtures::all().unwrap();
    let index = files.iter().find(|(name, _)| name == "audio.idx").unwrap();
    for (name, bytes) in files.iter().filter(|(name, _)| name.starts_with("audio.")) {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let bag = files.iter().find(|(name, _)| name == "audio.bag").unwrap();
    fs::write(folder.path().join("a.mix"), mix(&[("audio.idx", &index.1), ("audio.bag", &bag.1)])).unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (index, archive, wav) = (at("audio.idx"), at("a.mix"), at("x.wav"));
    let which = fails(&["asset", "show", &index, "--out", &wav], 2);
    assert!(which.contains("sounds; name one, or its number from 0: "), "{which}");
    let name = which.split("from 0: ").nth(1).unwrap().split([',', ' ']).next().unwrap().to_owned();
    let shown = |line: &[&str]| {
        ok(&[&["asset", "show"], line, &["--out", &wav]].concat());
        fs::read(&wav).unwrap()
    };
    let first = shown(&[&index, "0"]);
    assert_eq!(&first[..4], b"RIFF");
    assert_eq!(shown(&[&index, &name]), first);
    assert_eq!(shown(&[&archive, "audio.idx/0"]), first, "beside it in the archive");
    assert_ne!(shown(&[&index, "1"]), first);
    assert!(fails(&["asset", "show", &index, "999999", "--out", &wav], 2).contains("decode"));
    assert!(fails(&["asset", "show", &index, "0", "--out", &at("x.png")], 2).contains("name a .wav"));
}

/// Whatever an archive calls its entries, it writes no other line and moves no cursor.
#[test]
fn names_of_an_archive_are_only_text() {
    let folder = tempfile::tempdir().unwrap();
    let name = "a\u{1b}[2J\nx.shp";
    let database = database(name);
    let file = folder.path().join("x.mix");
    fs::write(&file, mix(&[(name, &sprite()[..33]), ("local mix database.dat", &database)])).unwrap();
    let listed = ok(&["asset", "ls", file.to_str().unwrap()]);
    let checked = at(&["asset", "check", folder.path().to_str().unwrap()]);
    for shown in [listed, stdout(&checked)] {
        assert!(shown.contains("a\\u{1b}[2J\\nx.shp") && !shown.contains('\u{1b}'), "{shown}");
    }
}

#[test]
fn what_is_no_name_is_told() {
    let list = tempfile::NamedTempFile::new().unwrap();
    let with = || ["asset", "ls", "ra2.mix", "cache.mix", "--names", list.path().to_str().unwrap()];
    fs::write(list.path(), "\u{feff}odd name.pal\nfolder/x.shp\nGröße.shp\n").unwrap();
    let output = at(&with());
    assert!(stdout(&output).contains("2 entries, 2 with a name"), "{}", stdout(&output));
    assert!(stderr(&output).contains("2 names in"), "{}", stderr(&output));
    fs::write(list.path(), b"\xff\xfea\0.\0").unwrap();
    assert!(fails(&with(), 2).contains("UTF-16"));
}

#[test]
fn run_takes_large_bytes_inline_and_says_why_nothing_is_seen() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let hex = "00".repeat(1 << 20);
    fs::write(file.path(), format!(r#"{{"bytes":"hex:{hex}"}}"#)).unwrap();
    let args = format!("@{}", file.path().display());
    ok(&["run", "asset_sniff", "--args", &args]);
    // 40,000 by 40,000, and nothing in it.
    let shp = "hex:0000409c409c0100000000000000000000000000000000000000000000000000";
    let out = tempfile::tempdir().unwrap();
    let png = out.path().join("x.png");
    let args = format!(r#"{{"bytes":"{shp}"}}"#);
    let why = fails(&["run", "shp_ts_decode", "--args", &args, "--out", png.to_str().unwrap()], 2);
    assert!(why.contains("gives no image/png (") && !png.exists(), "{why}");
    let full = ["run", "shp_ts_decode", "--args", &args, "--detail", "full", "--format", "json"];
    let full: Value = serde_json::from_str(&ok(&full)).unwrap();
    assert!(full["data"]["not_shown"].is_string(), "{full}");
}

#[test]
fn show_makes_a_sheet_in_the_colours_given() {
    let out = tempfile::tempdir().unwrap();
    let file = out.path().join("sheet.png");
    let file = file.to_str().unwrap();
    ok(&["asset", "show", "sub/b.shp", "--pal", "a.pal", "--out", file]);
    let (width, height, colours, pixels) = seen(&fs::read(file).unwrap());
    assert_eq!((width, height, pixels), (3, 1, vec![0, 5, 6]));
    assert_eq!(colours.unwrap()[15..18], [5 << 2, 0, 58 << 2]);
    let greys = at(&["asset", "show", "ra2.mix", "mouse.shp", "--out", "-"]);
    assert!(stderr(&greys).contains("greys"));
    assert_eq!(seen(&greys.stdout).2.unwrap()[15..18], [5; 3]);
    ok(&["asset", "show", "a.pal", "--out", file]);
    assert_eq!(seen(&fs::read(file).unwrap()).0, 256);
    assert!(fails(&["asset", "show", "ra2.mix", "--out", file], 2).contains("it is MIX"));
    assert!(
        fails(&["asset", "show", "sub/b.shp", "--pal", "sub/b.shp", "--out", file], 2)
            .contains("size_mismatch")
    );
}

#[test]
fn the_server_opens_the_folders_and_bounds_the_uploads_that_it_is_told() {
    let arguments = ["mcp", "--assets", ".", "--upload-file", "1"];
    let mut server = support::command(&arguments)
        .current_dir(place().folder())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = server.stdin.take().unwrap();
    let mut output = BufReader::new(server.stdout.take().unwrap());
    let mut send = |message: &Value| {
        writeln!(input, "{message}").unwrap();
        let mut line = String::new();
        if message.get("id").is_some() {
            output.read_line(&mut line).unwrap();
        }
        line
    };
    handshake("2025-06-18").iter().for_each(|message| drop(send(message)));
    let mut run = |name: &str, arguments: Value| {
        let line = send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": "run_capability", "arguments": { "name": name, "arguments": arguments } } }));
        serde_json::from_str::<Value>(&line).unwrap()["result"]["structuredContent"].clone()
    };
    let decoded = run("pal_decode", json!({ "bytes": { "path": "a.pal" } }));
    assert_eq!(decoded["data"]["breakdown"]["largest"], json!(63), "{decoded}");
    let piece = |total: u32| json!({ "id": "x", "total": total, "bytes": "hex:00" });
    assert_eq!(run("upload_asset", piece((1 << 20) + 1))["errno"], "EFBIG");
    assert_eq!(run("upload_asset", piece(1 << 20))["data"]["breakdown"]["received"], json!(1));
    drop(input);
    assert!(server.wait().unwrap().success());
}
