//! The loops: one thread per connection. All threads take the next request from one shared list.

#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

use std::{
    io::{self, BufReader, Error, Write},
    net::{SocketAddr, TcpStream},
    num::NonZero,
    path::PathBuf,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use serde::Deserialize;

use crate::{
    http::Message,
    tally::{Tally, WARM},
};

/// The settings of a run.
#[derive(Deserialize)]
pub(crate) struct Plan {
    pub(crate) address: SocketAddr,
    /// The file with the requests: one or more, each as JSON.
    pub(crate) file: PathBuf,
    pub(crate) connections: usize,
    /// Milliseconds of the measurement.
    pub(crate) ms: u64,
    /// Requests per second of the open loop; `None`: the closed loop.
    pub(crate) rate: Option<NonZero<u32>>,
    /// Round-trip time of the network in milliseconds: half of it passes before a request is sent, half after its
    /// response has arrived.
    pub(crate) delay: u64,
    /// With it, the open loop behaves like an exchange: it drops a request if no connection is free when it is due, and
    /// an answer after this many milliseconds is late. A 204 to a request that should get a bid is then an early
    /// answer, not a bad one. `None`: all requests are sent, and no answer is late.
    pub(crate) patience: Option<u64>,
    /// Milliseconds that a request may wait inside the server and must still be answered as expected. After a longer
    /// wait, a 204 to a request that should get a bid is early: a bidder may not bid when the request's `tmax` is over,
    /// and a busy machine stops any process for so long now and then.
    pub(crate) wait: u64,
}

/// A request and the expected response.
#[derive(Deserialize)]
pub(crate) struct Request {
    /// The bytes to send, head and body.
    pub(crate) bytes: Vec<u8>,
    pub(crate) status: u16,
    /// Whether the response must be compressed.
    pub(crate) gzip: bool,
    /// The first bytes of the response's body; may be empty.
    pub(crate) begin: Vec<u8>,
}

/// If no connection gets a response for this long, that is a stop.
const STOP: Duration = Duration::from_millis(20);
/// In an open loop, a stop also requires that at least this many requests became due.
const DUE_IN_STOP: u32 = 10;
/// `sleep` can end this much too late, so the last part of a wait is a busy loop.
const SPIN: Duration = Duration::from_micros(80);
const TIMEOUT: Duration = Duration::from_secs(10);

/// Plays the requests in turn for the planned duration.
pub(crate) fn play(plan: &Plan, requests: &[Request]) -> io::Result<Tally> {
    let run = Run {
        plan,
        requests,
        begin: Instant::now(),
        interval: plan.rate.map(|rate| Duration::from_secs(1) / rate.get()),
        next: AtomicU64::new(0),
        tally: Mutex::new(Tally::new().map_err(Error::other)?),
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..plan.connections).map(|_| scope.spawn(|| run.connection())).collect();
        threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| Error::other("a connection panicked"))?)
    })?;
    run.tally.into_inner().map_err(|_| Error::other("a connection panicked"))
}

struct Run<'p> {
    plan: &'p Plan,
    requests: &'p [Request],
    begin: Instant,
    /// Time between two requests of the open loop.
    interval: Option<Duration>,
    /// Number of the next request.
    next: AtomicU64,
    tally: Mutex<Tally>,
}

impl Run<'_> {
    fn connection(&self) -> io::Result<()> {
        let mut connection = Connection::open(self.plan.address)?;
        let end = WARM + Duration::from_millis(self.plan.ms);
        let stop = STOP.max(self.interval.unwrap_or_default() * DUE_IN_STOP);
        let patience = self.plan.patience.filter(|_| self.interval.is_some()).map(Duration::from_millis);
        let latest = |due| if patience.is_some() { due } else { end };
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let due = self.interval.map_or_else(|| self.begin.elapsed(), |interval| times(interval, number));
            if due >= end {
                return Ok(());
            }
            if self.begin.elapsed() >= latest(due) {
                self.tally().unsent += 1;
                continue;
            }
            wait_until(self.begin + due);
            let position = usize::try_from(number).ok().and_then(|number| number.checked_rem(self.requests.len()));
            let Some(request) = position.and_then(|position| self.requests.get(position)) else {
                return Err(Error::other("no requests"));
            };
            if connection.response.is_last {
                connection = Connection::open(self.plan.address)?;
            }
            let (asked, delay) = (self.begin.elapsed(), Duration::from_millis(self.plan.delay));
            let answered = connection.exchange(request, delay / 2);
            let now = self.begin.elapsed();
            let has_waited = now.saturating_sub(asked) > delay + Duration::from_millis(self.plan.wait);
            let mut tally = self.tally();
            tally.sent += 1;
            match answered {
                Ok(_) if patience.is_some_and(|patience| now.saturating_sub(due) > patience) => tally.late += 1,
                Ok(_) if (patience.is_some() || has_waited) && connection.is_early(request) => tally.early += 1,
                Ok(None) => tally.good(now, due, connection.response.bytes(), stop),
                Ok(Some(complaint)) => tally.bad(|| complaint),
                Err(error) => {
                    tally.bad(|| error.to_string());
                    connection = Connection::open(self.plan.address)?;
                }
            }
        }
    }

    fn tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn times(interval: Duration, number: u64) -> Duration {
    Duration::from_nanos(u64::try_from(interval.as_nanos()).unwrap_or(u64::MAX).saturating_mul(number))
}

fn wait_until(due: Instant) {
    if let Some(long) = due.saturating_duration_since(Instant::now()).checked_sub(SPIN) {
        thread::sleep(long);
    }
    while Instant::now() < due {
        thread::yield_now();
    }
}

struct Connection {
    to: TcpStream,
    from: BufReader<TcpStream>,
    response: Message,
}

impl Connection {
    fn open(address: SocketAddr) -> io::Result<Connection> {
        let to = TcpStream::connect(address)?;
        to.set_nodelay(true)?;
        to.set_read_timeout(Some(TIMEOUT))?;
        Ok(Connection { from: BufReader::new(to.try_clone()?), to, response: Message::default() })
    }

    /// Whether the server refused to decide on a request that should get a bid.
    fn is_early(&self, request: &Request) -> bool {
        request.status == 200 && self.response.status() == Some(204)
    }

    /// Sends a request and reads its response, each after `delay`. Returns the problem of the response, if any.
    fn exchange(&mut self, request: &Request, delay: Duration) -> io::Result<Option<String>> {
        wait_until(Instant::now() + delay);
        self.to.write_all(&request.bytes)?;
        if !self.response.read(&mut self.from)? {
            return Err(Error::other("the connection was closed"));
        }
        wait_until(Instant::now() + delay);
        let status = self.response.status();
        if status != Some(request.status) {
            return Ok(Some(format!("status {status:?} instead of {}", request.status)));
        }
        if self.response.is_gzip != request.gzip {
            return Ok(Some(format!("a body that is {}compressed", if request.gzip { "not " } else { "" })));
        }
        Ok((!self.response.content()?.starts_with(&request.begin)).then(|| "a body with another beginning".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, TcpListener};

    use super::*;

    /// Answers 204, 200, 200, and again.
    fn server() -> SocketAddr {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            let (mut to, _) = listener.accept().unwrap();
            let mut from = BufReader::new(to.try_clone().unwrap());
            let mut request = Message::default();
            for number in 0.. {
                if !request.read(&mut from).unwrap() {
                    return;
                }
                let text = ["HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"];
                to.write_all(text[usize::from(number % 3 > 0)].as_bytes()).unwrap();
            }
        });
        address
    }

    fn request(status: u16, begin: &str) -> Request {
        Request {
            bytes: b"POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\n!".to_vec(),
            status,
            gzip: false,
            begin: begin.as_bytes().to_vec(),
        }
    }

    #[test]
    fn every_response_is_checked() {
        let rate = NonZero::new(1000);
        let good = [request(204, ""), request(200, "{"), request(200, "")];
        let plan = |delay| Plan {
            address: server(),
            file: PathBuf::new(),
            connections: 1,
            ms: 50,
            rate,
            delay,
            patience: None,
            wait: 100,
        };
        let tally = play(&plan(0), &good).unwrap();
        assert_eq!((tally.bad, tally.complaint.as_deref(), tally.sent + tally.unsent), (0, None, 250));
        let bad = [request(204, ""), request(204, ""), request(200, "[")];
        let tally = play(&plan(0), &bad).unwrap();
        assert!((tally.bad * 3).abs_diff(tally.sent * 2) <= 4, "{} of {}", tally.bad, tally.sent);
        // With patience, a 204 in place of a bid is early, what no connection can send is dropped, and the rest is late.
        let impatient = |delay, patience| Plan { patience: Some(patience), ..plan(delay) };
        let tally = play(&impatient(0, 1000), &[request(200, "{")]).unwrap();
        assert!(tally.early > 0 && tally.late == 0, "{} early, {} late", tally.early, tally.late);
        assert_eq!(tally.sent + tally.unsent, 250);
        let tally = play(&impatient(10, 5), &good).unwrap();
        assert!(tally.late == tally.sent && tally.unsent >= 200, "{} late, {} unsent", tally.late, tally.unsent);
        // Without patience, it is early only after a longer wait than the server may have.
        let slow = |wait| Plan { wait, ..plan(0) };
        let tally = play(&slow(0), &[request(200, "{")]).unwrap();
        assert!(tally.early > 0 && tally.bad == 0, "{} early, {} bad", tally.early, tally.bad);
        let tally = play(&slow(100), &[request(200, "{")]).unwrap();
        assert!(tally.early == 0 && tally.bad > 0, "{} early, {} bad", tally.early, tally.bad);
        // With a delay of 10 ms, one connection can make 25 round trips in 250 ms.
        let tally = play(&plan(10), &good).unwrap();
        assert!(tally.bad == 0 && tally.sent <= 26, "{} sent", tally.sent);
    }
}
