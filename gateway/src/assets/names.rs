//! Names for the numbers that a MIX index has in their place: made by the rules that the games' own names follow, read
//! out of the database that many archives carry, or given by the user.

use super::Archive;
use assay_model::{PortError, ReadAt};
use assay_ports::assets::mix_id::{IdRule, id_of};
use std::collections::HashMap;

/// The entry in which community tools keep the names of an archive.
pub const DATABASE: &str = "local mix database.dat";
/// Bytes of a list of names at most.
const MAX_LIST: u64 = 32 << 20;
/// What a database of one archive begins with.
const MAGIC: &[u8; 32] = b"XCC by Olaf van der Spek\x1a\x04\x17\x27\x10\x19\x80\x00";

/// Theatres: the name of one, and what its files, palettes and archives have in theirs.
const THEATRES: [(&str, &str); 6] = [
    ("temperat", "tem"),
    ("snow", "sno"),
    ("urban", "urb"),
    ("desert", "des"),
    ("lunar", "lun"),
    ("urbann", "ubn"),
];

/// Archives and files without a pattern of their own, one a blank; each also with `md` behind it and with `fs`.
const STEMS: [(&str, &str); 6] = [
    (
        "mix",
        "audio cache cameo conqmd conquer conq desert edhi editor edlo general generic gener gmenu hires interior isogen \
         isolun isosnow isosno isotemp isotem isoubn isourb isodes langmd language load local lores lunar maps movies movmd \
         multi neutral nchires ntrl ra2 redalert main russian allies scores sidec sidenc sno snow sounds speech tem temperat \
         theme thememd tibsun patch expand urb urban urbann ubn des lun win desicnh desert temicnh deseicnh",
    ),
    (
        "ini",
        "rules art ai sound theme eva battle mapsel mission missions keyboard key mpmodes mpbattle mpcoop mpduel \
         mpfreeforall mpmegawealth mpmeatgrinder mpunholy mpnaval mplandrush mpsiege mpteam tutorial ui uimd tmission \
         temperat snow urban desert lunar urbann campaign coopcamp firestrm multi ra2 sun rmg",
    ),
    (
        "pal",
        "anim cameo mousepal palette lib grfxtxt dialog uibkgd sdtp sdbtnanm sidebar mplsgrn radaryuri radar loading \
         theme score ls640 ls800 glsl gls grd alpha waypoint shadow xanim trans icon key mpascrn mpyscrnl fslg",
    ),
    ("csf", "ra2 stringtable language"),
    ("pkt", "missions"),
    ("fnt", "game 6point 8point 12metfnt editfnt grad6fnt kia6pt scorefnt vcr led 3point help grad12fn"),
];

/// Further names that are alone of their kind.
const SINGLES: &str = "key.ini voxels.vpl audio.idx audio.bag mouse.shp mouse.sha palette.pal \
    score.vqa cliff.shp shroud.shp shadow.shp fog.shp darken.shp pips.shp pips2.shp pipbrd.shp place.shp select.shp \
    wake1.shp wake2.shp clock.shp gclock2.shp talkbubl.shp crate.shp wcrate.shp light.shp trans.icn conquer.eng tutorial.eng";

/// Stems with numbers behind them, and the extension: `expand01.mix`.
const NUMBERED: [(&str, &str); 18] = [
    ("expand", "mix"),
    ("expandmd", "mix"),
    ("expandspawn", "mix"),
    ("ecache", "mix"),
    ("ecachemd", "mix"),
    ("elocal", "mix"),
    ("elocalmd", "mix"),
    ("maps", "mix"),
    ("mapsmd", "mix"),
    ("movies", "mix"),
    ("movmd", "mix"),
    ("sidec", "mix"),
    ("sidenc", "mix"),
    ("sounds", "mix"),
    ("speech", "mix"),
    ("scores", "mix"),
    ("stringtable", "csf"),
    ("thememd", "mix"),
];

/// Templates of a theatre that are numbered and lettered: `clear01a.tem`.
const TILES: &str = "clear bay blank bridge brkn bshore cliff clf conq dbris dirtrd dovrps dpave dpavr droad drod dslope \
    falls fona grass green hibrdg hill hyte ice ishore lobrdg mount ovrps p pave paved pavec pvclf pvclr pvd pvmed ramp \
    rail rivr river road rough rubble sand sandb sh shore slope slop stair sw swamp track trck tunn tunnel water wat \
    wcliff wfalls wslope b c rf rc rv d s tc t bib mr";

/// Every name that the rules make, in lower case.
fn generated() -> Vec<String> {
    let mut names: Vec<String> = SINGLES.split_whitespace().map(str::to_owned).collect();
    // The one name with blanks in it.
    names.push(DATABASE.to_owned());
    for (extension, stems) in STEMS {
        for stem in stems.split_whitespace() {
            names.extend(["", "md", "fs"].map(|suffix| format!("{stem}{suffix}.{extension}")));
        }
    }
    for (stem, extension) in NUMBERED {
        for number in 0..100 {
            names.push(format!("{stem}{number:02}.{extension}"));
            names.push(format!("{stem}{number:02}md.{extension}"));
            if number < 10 {
                names.push(format!("{stem}{number}.{extension}"));
            }
        }
    }
    theatres(&mut names);
    scenarios(&mut names);
    names
}

fn theatres(names: &mut Vec<String>) {
    for (theatre, extension) in THEATRES {
        for suffix in ["", "md"] {
            names.push(format!("{theatre}{suffix}.mix"));
            names.push(format!("iso{extension}{suffix}.mix"));
            names.push(format!("{extension}{suffix}.mix"));
            names.push(format!("{theatre}{suffix}.ini"));
        }
        names.extend(["iso", "unit", "lib", ""].map(|start| format!("{start}{extension}.pal")));
        names.push(format!("{theatre}.pal"));
    }
    // Old theatres have templates of the same shape, and sprites that belong to one.
    let extensions = THEATRES.iter().map(|(_, extension)| *extension).chain(["win", "int"]);
    for extension in extensions {
        for stem in TILES.split_whitespace() {
            names.push(format!("{stem}.{extension}"));
            for number in 0..100 {
                if number < 10 {
                    names.push(format!("{stem}{number}.{extension}"));
                }
                names.push(format!("{stem}{number:02}.{extension}"));
            }
            for number in 1..=40 {
                names.extend(["a", "b", "c"].map(|letter| format!("{stem}{number:02}{letter}.{extension}")));
            }
        }
    }
}

/// Campaign maps, by side, number, direction and variant, and maps for several.
fn scenarios(names: &mut Vec<String>) {
    for number in 0..100 {
        for side in ["g", "b", "u", "m", "a", "s"] {
            for (direction, variant) in ["e", "w"].iter().flat_map(|d| ["a", "b", "c"].map(|v| (*d, v))) {
                names.push(format!("sc{side}{number:02}{direction}{variant}.ini"));
                names.push(format!("sc{side}{number:02}{direction}{variant}.bin"));
            }
        }
        for start in ["all", "sov", "trn", "mp", "gdi", "nod", "fs", "xmp"] {
            for end in ["", "t", "s", "u", "d", "md", "tmd", "umd", "smd", "dmd", "mw", "du", "lmd", "ubmd"] {
                names.push(format!("{start}{number:02}{end}.map"));
            }
        }
    }
}

/// Names by id, under both rules.
#[derive(Clone, Debug, Default)]
pub struct Names {
    classic: HashMap<u32, String>,
    ts: HashMap<u32, String>,
}

impl Names {
    /// The names that the rules make.
    #[must_use]
    pub fn generated() -> Self {
        let mut names = Self::default();
        names.extend(generated());
        names
    }

    /// Adds names, and gives how many are none: beyond ASCII, with a folder, or longer than 260 characters. One that is
    /// there already stays, so the first to be given wins.
    pub fn extend(&mut self, names: impl IntoIterator<Item = String>) -> usize {
        let mut none = 0;
        for name in names.into_iter().filter(|name| !name.is_empty()) {
            if !name.is_ascii() || name.len() > 260 || name.contains(['/', '\\']) {
                none += 1;
                continue;
            }
            // Names of this length have an id under every rule.
            if let Ok((_, id)) = id_of(name.as_bytes(), IdRule::Ts) {
                self.ts.entry(id).or_insert_with(|| name.clone());
            }
            if let Ok((_, id)) = id_of(name.as_bytes(), IdRule::Classic) {
                self.classic.entry(id).or_insert(name);
            }
        }
        none
    }

    /// Adds the names of others. One that is there already stays.
    pub fn merge(&mut self, others: Self) {
        for (mine, theirs) in [(&mut self.classic, others.classic), (&mut self.ts, others.ts)] {
            for (id, name) in theirs {
                mine.entry(id).or_insert(name);
            }
        }
    }

    /// Adds the names of a file, and gives how many are none: a database of one archive, the one of all games, or a plain
    /// list, one a line, which may go on behind a tab or `;`.
    ///
    /// # Errors
    /// The file cannot be read, has more than 32 MiB, is text of 16 bits a character, or a database that is cut off.
    pub fn add_file(&mut self, bytes: &dyn ReadAt) -> Result<usize, String> {
        let bytes = whole(bytes)?;
        let names = if bytes.starts_with(MAGIC) {
            local(&bytes)?
        } else if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
            return Err("it is UTF-16; save it as UTF-8".to_owned());
        } else if bytes.contains(&0) {
            global(&bytes)?
        } else {
            let text = String::from_utf8_lossy(&bytes);
            let lines = text
                .trim_start_matches('\u{feff}')
                .lines()
                .map(|line| line.split(['\t', ';']).next().unwrap_or_default().trim());
            lines.map(str::to_owned).collect()
        };
        Ok(self.extend(names))
    }

    /// The names of one archive: those that it carries itself, then these.
    #[must_use]
    pub fn within<'a>(&'a self, archive: &'a Archive) -> Within<'a> {
        let mut own = Self::default();
        own.extend(carried(archive).unwrap_or_default());
        Within { own, known: self, rules: archive.rules() }
    }

    fn of(&self, rules: &[IdRule], id: u32) -> Option<&str> {
        let by = |rule: &IdRule| match rule {
            IdRule::Classic => self.classic.get(&id),
            IdRule::Ts => self.ts.get(&id),
        };
        rules.iter().find_map(by).map(String::as_str)
    }
}

/// Names as one archive has them.
pub struct Within<'a> {
    own: Names,
    known: &'a Names,
    rules: &'static [IdRule],
}

impl Within<'_> {
    /// The name of an id, under the likeliest rule of the archive that has one.
    #[must_use]
    pub fn of(&self, id: u32) -> Option<&str> {
        self.own.of(self.rules, id).or_else(|| self.known.of(self.rules, id))
    }
}

/// The names in the database that an archive carries; none when it has no readable one.
fn carried(archive: &Archive) -> Option<Vec<String>> {
    let found = archive.find(DATABASE).ok()?;
    let bytes = archive.bytes(&found.entry).ok()?;
    local(&whole(&*bytes).ok()?).ok()
}

fn whole(bytes: &dyn ReadAt) -> Result<Vec<u8>, String> {
    let length = bytes.length();
    if length > MAX_LIST {
        return Err(format!("a list of names of {length} bytes is above {MAX_LIST}"));
    }
    // Bounded just above, so it fits.
    let mut all = vec![0; length as usize];
    let read = bytes.read_at(0, &mut all).map_err(|why: PortError| why.message)?;
    all.truncate(read);
    Ok(all)
}

/// Splits `count` texts that end in 0 off the front.
fn texts<'a>(bytes: &mut &'a [u8], count: u32) -> Result<Vec<&'a [u8]>, String> {
    let mut found = Vec::new();
    for _ in 0..count {
        let end = bytes.iter().position(|byte| *byte == 0);
        let end = end.ok_or_else(|| format!("the database ends after {} of {count} names", found.len()))?;
        found.push(&bytes[..end]);
        *bytes = &bytes[end + 1..];
    }
    Ok(found)
}

fn number(bytes: &mut &[u8]) -> Result<u32, String> {
    let (word, rest) = bytes.split_first_chunk().ok_or("the database ends inside a number")?;
    *bytes = rest;
    Ok(u32::from_le_bytes(*word))
}

fn owned(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}

/// The database of one archive: magic, size, type, version, game, count, names.
fn local(bytes: &[u8]) -> Result<Vec<String>, String> {
    let mut rest = bytes.strip_prefix(MAGIC).ok_or("no database of names")?;
    for _ in 0..4 {
        number(&mut rest)?;
    }
    let count = number(&mut rest)?;
    Ok(texts(&mut rest, count)?.into_iter().map(owned).collect())
}

/// The database of all games: a list for each, of a count and of names with descriptions. The newest game wins.
fn global(bytes: &[u8]) -> Result<Vec<String>, String> {
    let (mut rest, mut names) = (bytes, Vec::new());
    while !rest.is_empty() {
        let count = number(&mut rest)?;
        let pairs = texts(&mut rest, count.checked_mul(2).ok_or("the database has too many names")?)?;
        names.push(pairs.chunks(2).map(|pair| owned(pair[0])).collect::<Vec<_>>());
    }
    Ok(names.into_iter().rev().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_make_names_that_archives_have() {
        let names = Names::generated();
        for (id, name) in [
            (0x366e_051f, "local mix database.dat"),
            (0xf025_a96c, "rules.ini"),
            (0x7f6f_bcdf, "ra2.csf"),
            (0x5f9d_97b9, "isotem.pal"),
            (0x9c58_de40, "temperat.pal"),
            (0xfc4a_e02c, "missions.pkt"),
            (0x3351_9c3a, "ra2md.mix"),
            (0xa854_8fd9, "local.mix"),
        ] {
            assert_eq!(names.ts.get(&id).map(String::as_str), Some(name));
        }
        assert_eq!(names.classic.get(&0xab71_e2ff).map(String::as_str), Some("clear1.sno"));
        assert_eq!(names.classic.get(&0xb1ae_d9d6).map(String::as_str), Some("tc01.sno"));
        assert!(names.ts.len() > 10_000, "{}", names.ts.len());
    }

    #[test]
    fn databases_and_lists_are_read_and_cut_ones_refused() {
        let mut one = MAGIC.to_vec();
        for word in [68_u32, 0, 0, 5, 2] {
            one.extend(word.to_le_bytes());
        }
        one.extend(b"rules.ini\0my file.shp\0");
        assert_eq!(local(&one).unwrap(), ["rules.ini", "my file.shp"]);
        assert!(local(&one[..one.len() - 1]).unwrap_err().contains("after 1 of 2"));
        let mut all = Vec::new();
        for (count, pairs) in [(1_u32, &b"a.shp\0an a\0"[..]), (2, b"b.shp\0\0c.shp\0\0")] {
            all.extend(count.to_le_bytes());
            all.extend(pairs);
        }
        assert_eq!(global(&all).unwrap(), ["b.shp", "c.shp", "a.shp"]);
        assert!(global(&all[..all.len() - 1]).is_err());
        assert!(global(&[0xff; 4]).unwrap_err().contains("too many"));
    }
}
