//! Recorded vectors: the header's claims are checked, and every line becomes canonical bytes.

use super::Binder;
use crate::load::vectors::RawVectors;
use crate::suite::{Due, Vector, VectorFile};
use assay_model::{Problem, Rule, Tree};

impl Binder<'_> {
    pub(super) fn vectors(&mut self, raw: &RawVectors) -> VectorFile {
        let header = &raw.header;
        // The checks of clauses and games speak of `cases.toml`; here the place is the header line.
        let before = self.problems.len();
        self.claims(&[], header.game, &header.clause);
        if let Err((rule, message, help)) = self.source(&header.source, header.game) {
            self.wrong(rule, &[], message, help);
        }
        if self.raw.file.removed.iter().any(|tombstone| tombstone.id == raw.stem) {
            self.wrong(
                Rule::ReusedId,
                &[],
                format!("`{}` was removed", raw.stem),
                "ids are never used again; choose another name",
            );
        }
        if raw.lines.is_empty() {
            self.wrong(Rule::Vectors, &[], "the file has no vector", "remove it, or record some");
        }
        for problem in &mut self.problems[before..] {
            raw.path.clone_into(&mut problem.file);
            (problem.line, problem.column) = (1, 1);
        }
        let mut lines = Vec::with_capacity(raw.lines.len());
        for vector in &raw.lines {
            match self.arguments(&vector.input, header.game) {
                Ok(arguments) => lines.push(Vector {
                    id: self.full(&format!("{}.{}", raw.stem, vector.id)),
                    line: vector.number,
                    input: Tree::Map(arguments).to_json(),
                    due: Due::Breakdown(vector.output.to_json()),
                }),
                Err(message) => {
                    let place = (vector.number, 1);
                    self.problems.push(Problem::placed(Rule::Input, &raw.path, place, message, ""));
                }
            }
        }
        let key = self.key(header, &raw.digest);
        VectorFile { path: raw.path.clone(), stem: raw.stem.clone(), header: header.clone(), lines, key }
    }
}
