//! Which campaigns have a budget.

use super::{Parts, Spender};

/// The numbers of the budgets by campaign. The number of a budget is its position in [`Parts::budgets`]; campaigns of
/// an order have the same.
#[derive(Debug, Clone, Default)]
pub struct Budgets {
    /// By the position of the campaign.
    numbers: Vec<u32>,
}

/// Stands for a campaign without a budget.
const NONE: u32 = u32::MAX;

impl Budgets {
    pub(super) fn of(parts: Parts<'_>) -> Budgets {
        let campaigns = parts.campaigns().len();
        let mut numbers = Vec::new();
        let mut set = |position: u32, number: u32| {
            let position = position as usize;
            // The bytes may be damaged.
            if position < campaigns {
                numbers.resize(numbers.len().max(position + 1), NONE);
                if let Some(own) = numbers.get_mut(position) {
                    *own = number;
                }
            }
        };
        for (number, budget) in (0..).zip(parts.budgets().iter()) {
            match parts.spender(&budget) {
                Some(Spender::Campaign(_)) => set(budget.position(), number),
                Some(Spender::Order(order)) => order.campaigns().iter().for_each(|position| set(position, number)),
                None => {}
            }
        }
        Budgets { numbers }
    }

    /// The number of the budget of the campaign at this position; `None` if it has no budget.
    pub fn number(&self, position: usize) -> Option<u32> {
        self.numbers.get(position).copied().filter(|number| *number != NONE)
    }

    /// Whether no campaign has a budget.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }
}
