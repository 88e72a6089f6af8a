//! Why a share is what it is. `shared/pacing/why.ts` has the words for people.

/// Why a share is what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// It is paused.
    Paused,
    /// Its last flight has ended.
    Over,
    /// Its first flight has not begun.
    NotStarted,
    /// It is between two flights.
    BetweenFlights,
    /// The ledger's summary does not tell yet what past days spent.
    PastUnknown,
    /// It has spent in a currency that the catalog's rates lack.
    RateMissing,
    /// The total budget is below what is spent.
    TotalOverspent,
    /// The daily budget is below what is spent today.
    DailyOverspent,
    /// The total budget is spent.
    TotalSpent,
    /// The daily budget is spent.
    DailySpent,
    /// Bids that are not billed yet may spend the rest.
    Exposed,
    /// Nothing is counted yet.
    NoCounts,
    /// Its requests are being counted.
    Counting,
    /// Its first prices are being learned.
    Learning,
    /// As soon as possible: it bids on all its requests.
    AllRequests,
    /// Its requests are fewer than the plan needs.
    FewRequests,
    /// As soon as possible: it must not exceed the rest.
    Slower,
    /// The plan has nothing for this hour.
    Unplanned,
    /// It bids as planned.
    OnPlan,
}

impl Why {
    /// Its name at the border. Names do not change.
    pub const fn as_str(self) -> &'static str {
        match self {
            Why::Paused => "paused",
            Why::Over => "over",
            Why::NotStarted => "not-started",
            Why::BetweenFlights => "between-flights",
            Why::PastUnknown => "past-unknown",
            Why::RateMissing => "rate-missing",
            Why::TotalOverspent => "total-overspent",
            Why::DailyOverspent => "daily-overspent",
            Why::TotalSpent => "total-spent",
            Why::DailySpent => "daily-spent",
            Why::Exposed => "exposed",
            Why::NoCounts => "no-counts",
            Why::Counting => "counting",
            Why::Learning => "learning",
            Why::AllRequests => "all-requests",
            Why::FewRequests => "few-requests",
            Why::Slower => "slower",
            Why::Unplanned => "unplanned",
            Why::OnPlan => "on-plan",
        }
    }
}
