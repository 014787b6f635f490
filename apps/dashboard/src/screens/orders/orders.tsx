// The orders of a merchant: filters as chips in the address, the newest first.
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useAnswer } from '../../api/queries.ts';
import { useCurrencies } from '../../api/currencies.ts';
import { Button, buttonClass } from '../../parts/button.tsx';
import { Answer } from '../../parts/data/answer.tsx';
import { Empty } from '../../parts/data/empty.tsx';
import { FilterBar, FilterChip, SearchField } from '../../parts/data/filters.tsx';
import { Table, TableSkeleton } from '../../parts/data/table.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { fill, words } from '../../words/words.ts';
import { orderColumns } from './order-columns.tsx';
import styles from './orders.module.css';

const statuses = ['TO-BE-PAID', 'PAID', 'TIME-OUT'] as const;
