//! Recorded vectors: the header's claims are checked, and every line becomes canonical bytes.

use super::Binder;
use crate::load::vectors::RawVectors;
use crate::suite::{Due, Vector, VectorFile};
use assay_model::{Problem, Tree};

impl Binder<'_> {
    pub(super) fn vectors(&mut self, raw: &RawVectors) -> VectorFile {
        let header = &raw.header;
        // The checks of clauses and games speak of `cases.toml`; here the place is the header line.
        let before = self.problems.len();
        self.claims(&[], header.game, &header.clause);
        if let Err((message, help)) = self.source(&header.source, header.game) {
            self.wrong(&[], message, help);
        }
        if self.raw.file.removed.iter().any(|tombstone| tombstone.id == raw.stem) {
            self.wrong(
                &[],
                format!("`{}` was removed", raw.stem),
                "ids are never used again; choose another name",
            );
        }
        if raw.lines.is_empty() {
            self.wrong(&[], "the file has no vector", "remove it, or record some");
        }
        for problem in &mut self.problems[before..] {
            raw.path.clone_into(&mut problem.file);
            (problem.line, problem.column) = (1, 1);
        }
        let mut lines = Vec::with_capacity(raw.lines.len());
        for vector in &raw.lines {
            let (line, column, help) = (vector.number, 1, String::new());
            match self.arguments(&vector.input, header.game) {
                Ok(arguments) => lines.push(Vector {
                    id: self.full(&format!("{}.{}", raw.stem, vector.id)),
                    line,
                    input: Tree::Map(arguments).to_json(),
                    due: Due::Breakdown(vector.output.to_json()),
                }),
                Err(message) => {
                    self.problems.push(Problem { file: raw.path.clone(), line, column, message, help });
                }
            }
        }
        let key = self.key(header, &raw.digest);
        VectorFile { path: raw.path.clone(), stem: raw.stem.clone(), header: header.clone(), lines, key }
    }
}
