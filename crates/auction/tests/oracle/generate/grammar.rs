//! Reads the grammar of generated values and makes strategies of it.
//!
//! A rule is `name = shape`; lines that begin with a space continue it, and `#` begins a comment. Shapes:
//!
//! - `"text"`, `-1.5`, `true`, `null`: this value. `null` stands for an absent attribute.
//! - `{id: a, w 30%: b}`: an object. It has `w` three times of ten.
//! - `[a, b]`: a list of both. `[1..3 a]`: a list of one to three. `[some 1..2 a]`: some of the constants of a choice.
//! - `a | 5*b`: one of both, `b` five times as often. Failures shrink to the first one.
//! - `a & b`: an object with the members of both. `0..2 a`: an object with the members of up to two.
//! - `name`: the shape of the rule. `name(a)`: the shape of the rule with `a` for each `@`; if the rule has no `@`, the
//!   result of the function with that name.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::subsequence;
use proptest::strategy::Union;
use serde_json::{Value, json};

use crate::json::{merge, of_fields};

type Any = BoxedStrategy<Value>;

pub struct Grammar {
    rules: BTreeMap<String, String>,
    functions: fn(&str) -> fn(Value) -> Value,
}

impl Grammar {
    pub fn new(texts: &[&str], functions: fn(&str) -> fn(Value) -> Value) -> Grammar {
        let mut grammar = Grammar { rules: BTreeMap::new(), functions };
        let lines = texts.iter().flat_map(|text| text.lines()).filter(|line| !line.starts_with('#'));
        let joined = lines.fold(String::new(), |all, line| all + if line.starts_with(' ') { " " } else { "\n" } + line);
        for (name, shape) in joined.lines().filter_map(|rule| rule.split_once(" = ")) {
            grammar.add(name, shape.to_owned());
        }
        grammar
    }

    pub fn add(&mut self, name: &str, shape: String) {
        assert!(self.rules.insert(name.to_owned(), shape).is_none(), "two rules {name}");
    }

    /// Adds a rule for one of the values.
    pub fn add_choice(&mut self, name: &str, values: impl IntoIterator<Item = Value>) {
        let values: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
        self.add(name, values.join(" | "));
    }

    pub fn has(&self, name: &str) -> bool {
        self.rules.contains_key(name)
    }

    pub fn strategy(&self, shape: &str) -> Any {
        let mut parser = Parser { grammar: self, rest: shape.trim_start() };
        let strategy = parser.choice();
        assert!(parser.rest.is_empty(), "{shape}\nat: {}", parser.rest);
        strategy
    }
}

struct Parser<'g> {
    grammar: &'g Grammar,
    rest: &'g str,
}

impl<'g> Parser<'g> {
    /// Takes the next `length` bytes, and the spaces behind them.
    fn take(&mut self, length: usize) -> &'g str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest.trim_start();
        taken
    }

    fn word(&mut self) -> &'g str {
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-' && c != '.');
        self.take(end.unwrap_or(self.rest.len()))
    }

    fn eat(&mut self, mark: &str) -> bool {
        let is_next = self.rest.starts_with(mark);
        self.take(if is_next { mark.len() } else { 0 });
        is_next
    }

    fn expect(&mut self, mark: &str) {
        assert!(self.eat(mark), "{mark} at: {}", self.rest);
    }

    /// A number with `mark` behind it.
    fn number_before(&mut self, mark: &str) -> Option<u32> {
        let digits = self.rest.find(|c: char| !c.is_ascii_digit())?;
        let number = self.rest.get(..digits)?.parse().ok()?;
        self.rest[digits..].starts_with(mark).then(|| {
            self.take(digits + mark.len());
            number
        })
    }

    fn range(&mut self) -> Option<RangeInclusive<usize>> {
        let least = self.number_before("..")?;
        Some(least as usize..=self.word().parse().unwrap())
    }

    /// Items until `end`, with commas between them.
    fn items<T>(&mut self, end: &str, item: impl Fn(&mut Self) -> T) -> Vec<T> {
        let mut items = vec![];
        while !self.eat(end) {
            items.push(item(self));
            if !self.eat(",") {
                self.expect(end);
                break;
            }
        }
        items
    }

    fn choice(&mut self) -> Any {
        let mut branches = vec![];
        loop {
            branches.push((self.number_before("*").unwrap_or(1), self.merged()));
            if !self.eat("|") {
                return Union::new_weighted(branches).boxed();
            }
        }
    }

    fn merged(&mut self) -> Any {
        let mut parts = vec![self.shape()];
        while self.eat("&") {
            parts.push(self.shape());
        }
        if parts.len() == 1 { parts.remove(0) } else { parts.prop_map(united).boxed() }
    }

    fn shape(&mut self) -> Any {
        if self.rest.starts_with('"') || self.rest.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
            return match self.range() {
                Some(range) => vec(self.shape(), range).prop_map(united).boxed(),
                None => Just(self.constant()).boxed(),
            };
        }
        if self.eat("(") {
            let inner = self.choice();
            self.expect(")");
            return inner;
        }
        if self.eat("{") {
            let (keys, values): (Vec<String>, Vec<Any>) = self.items("}", Parser::member).into_iter().unzip();
            let object = move |values: Vec<Value>| of_fields(keys.iter().map(String::as_str).zip(values));
            return values.prop_map(object).boxed();
        }
        if self.eat("[") {
            return self.list();
        }
        match self.word() {
            "null" => Just(Value::Null).boxed(),
            word @ ("true" | "false") => Just(Value::from(word == "true")).boxed(),
            name => self.named(name),
        }
    }

    fn member(&mut self) -> (String, Any) {
        let key = self.word().to_owned();
        let percent = self.number_before("%");
        self.expect(":");
        let value = self.choice();
        let maybe = |percent| weighted(f64::from(percent) / 100.0, value.clone()).prop_map(Option::unwrap_or_default);
        (key, percent.map_or(value.clone(), |percent| maybe(percent).boxed()))
    }

    fn list(&mut self) -> Any {
        let list = if self.eat("some ") {
            let range = self.range().unwrap();
            subsequence(self.constants(), range).prop_map(|some| json!(some)).boxed()
        } else if let Some(range) = self.range() {
            vec(self.choice(), range).prop_map(Value::from).boxed()
        } else {
            return self.items("]", Parser::choice).prop_map(Value::from).boxed();
        };
        self.expect("]");
        list
    }

    fn named(&mut self, name: &str) -> Any {
        let rule = self.grammar.rules.get(name);
        if !self.rest.starts_with('(') {
            return self.grammar.strategy(rule.unwrap_or_else(|| panic!("no rule {name}")));
        }
        let before = self.rest;
        let argument = self.shape();
        let text = &before[..before.len() - self.rest.len()];
        match rule.filter(|shape| shape.contains('@')) {
            Some(shape) => self.grammar.strategy(&shape.replace('@', text)),
            None => argument.prop_map((self.grammar.functions)(name)).boxed(),
        }
    }

    fn constant(&mut self) -> Value {
        if self.rest.starts_with('"') {
            let mut values = serde_json::Deserializer::from_str(self.rest).into_iter();
            let value = values.next().unwrap().unwrap();
            let end = values.byte_offset();
            self.take(end);
            return value;
        }
        serde_json::from_str(self.word()).unwrap()
    }

    /// The constants of a choice, in its order.
    fn constants(&mut self) -> Vec<Value> {
        let mut constants = if self.eat("(") {
            let inner = self.constants();
            self.expect(")");
            inner
        } else if let Some(shape) = self.grammar.rules.get(self.rest.split([']', ')', ' ']).next().unwrap()) {
            self.word();
            Parser { grammar: self.grammar, rest: shape }.constants()
        } else {
            vec![self.constant()]
        };
        if self.eat("|") {
            constants.extend(self.constants());
        }
        constants
    }
}

/// An object with the members of all parts; `null` adds none.
fn united(parts: Vec<Value>) -> Value {
    parts.into_iter().filter(|part| !part.is_null()).fold(json!({}), |mut all, part| {
        merge(&mut all, part);
        all
    })
}
